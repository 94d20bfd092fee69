"""The sheets on which the map is drawn, laid out by hand.

North is up. A location is a field: `[    Boston   )` has the mark of its piece on the left, where
the location lies, and `( Halifax      ]` on the right; a field is as long as all that can be true
of its location at once. What leads from field to field is drawn as it will be seen: a river with
`─│╭╮╰╯╱╲`, a road with `═║`, an Indian trail with dots. Each dot is at most one row and two columns
from the next, and only the two locations that the trail joins are as near to one. A lake is made of
`≈` and its name and touches its shore; `~` and all other names are the sea's. `{   }` is a line of
the legend.
"""

from __future__ import annotations

from engine.message import mark_in

STANDARD = """
        ╭─────[    Michillimackinac  )
[    Detroit  )     {                                              }           [    Tadoussac   )
 ≈≈≈≈≈≈≈≈           {                                              }
  ≈≈≈≈≈≈≈≈≈≈        {                                              }  [    Quebec    )    ~  ~
  ≈≈ Lake Erie ≈≈   {                                              }    ╱     │       ~     ~
    ≈≈≈≈≈≈≈≈≈≈≈≈≈≈                                   [    Trois Rivières   )  │          Gulf of
       ≈≈≈≈≈≈≈≈≈≈≈≈≈                                     ╱       │            │        St. Lawrence
          ≈≈≈≈≈≈≈≈≈≈≈≈≈≈ [    Fort Frontenac  )──[    Montreal  )│            │         ~     ~   ~
[    Fort Presqu'île  )≈≈    ≈ Lake Ontario ≈           │        │            │             ~   ~
          │     [    Fort Niagara  ) ≈≈≈≈≈≈≈≈   [    Fort St. John )  [    Kennebec )
          │                     ≈≈≈≈≈≈≈≈≈                   │                  ║
  [    Fort Venango )        [    Oswego  )       [    Ticonderoga )           ║     [    Gaspé   )
         │                         │                        │                  ║
         │               [    Fort Stanwix ) [    Fort William Henry )  [    Fort Halifax )  ~  ~
[    Fort Duquesne  )                  ╲      ╱              •          •       │
         ║                         [    Albany  )            •        •         │         ~     ~
         ║                              │           [    Deerfield  )    [    Pemaquid   )    ~  ~
  [    Cumberland  ) •                  │                  │      •
       •        │ •    •    [    New York   ) [    New Haven   )    [    Boston   )
       •        │  •  [    Philadelphia   )     ~      ~       ~   ~       [    Fort Beausejour  )
[    Richmond  )│  •                   ~           ~         ~                •   •        •
       │        │  [    Baltimore   )   Atlantic Ocean      ( Port Royal      ]   •   [    Canso   )
       │        │                    ~      ~      ~     ~                        •         ~    ~
       │      [    St. Mary's   )       ~     ~     ~   ~        ( Halifax      ]     ~     ~
 [    Norfolk   )                 ~    ~      ~      ~      ~     ~    ~         ( Louisbourg      ]
"""

COMPACT = """
        ╭───[    Michillimackinac  )
[    Detroit  )  {                                          } [    Tadoussac   )
 ≈≈≈≈≈≈≈         {                                              }
 ≈≈≈≈≈≈≈≈≈       {                                      } [    Quebec    )
 ≈ Lake Erie ≈   {                                      }  ╱      │
   ≈≈≈≈≈≈≈≈≈≈≈≈≈                          [    Trois Rivières   ) │     ~    ~
      ≈≈≈≈≈≈≈≈≈≈≈≈≈                               ╱     │         │       Gulf
         ≈≈≈≈≈≈≈≈≈≈≈  [    Frontenac  )─[    Montreal  )│         │      ~   ~
[    Presqu'île  )≈≈   ≈ Lake Ontario ≈           │     │         │
         │  [    Niagara  )  ≈≈≈≈≈≈≈≈       [    St. John )[    Kennebec )
         │                ≈≈≈≈≈≈≈≈                  │           ║
  [    Venango )      [    Oswego  )     [    Ticonderoga )     ║ [    Gaspé   )
         │                   │                    │             ║
         │            [    Stanwix ) [    William Henry ) [    Fort Halifax )
[    Duquesne  )               ╲     ╱          •          •        │      ~  ~
         ║                [    Albany  )        •        •          │   ~
         ║                       │     [    Deerfield  )            │
         ║                       │            │         •  [    Pemaquid   )
  [    Cumberland  ) •           │  [    New Haven   )  •                    ~
       •        │ •   •          │                       [    Boston   )
       •        │ •   •  [    New York   )
[    Richmond  )│ •   •                       ~     ~     ~   [    Beausejour  )
        │       │ •  [    Philadelphia   )  ~      ~    ~     •   •        •
        │       │ •                   ~     ( Port Royal      ]   •        •
        │       │ [    Baltimore   )  Atlantic    ~    ~          •        •
[    Norfolk   )│                       Ocean      ( Halifax      ]        •
           [    St. Mary's   )      ~     ~    ~      ~  ~        [    Canso   )
                                 ~      ~     ~     ~   ~    ( Louisbourg      ]
"""

WITHOUT_FORT = {
    mark_in("map", "Beausejour"),
    mark_in("map", "Duquesne"),
    mark_in("map", "Frontenac"),
    mark_in("map", "Niagara"),
    mark_in("map", "Presqu'île"),
    mark_in("map", "St. John"),
    mark_in("map", "Stanwix"),
    mark_in("map", "Venango"),
    mark_in("map", "William Henry"),
}
"""The forts that the compact sheet calls by the rest of their names."""
