"""How even the two sides are, by edition and house rule: `python -m benchmarks.balance`.

Both sides are played by programs of one strength, or each by a player that is named, over many
deals. Games are played by the processes of one machine or by a cluster, kept one by one in a file,
so that what was cut off goes on, and told in tables with intervals. It calls `benchmarks.matches`
and the engine; nothing calls it.
"""
