"""The balance of the two sides by edition and house rule: `python -m benchmarks.balance`.

Both sides are played by programs of one strength, or each by a named player, over many deals. Games
run in processes of one machine or on a cluster. Each game is saved in a file, so that an
interrupted run can be resumed, and all are reported in tables with confidence intervals. Calls
`benchmarks.matches` and the engine; nothing calls it.
"""
