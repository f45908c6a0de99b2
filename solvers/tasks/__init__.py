"""One solver per known task; `signatures/tasks` says which they are."""
