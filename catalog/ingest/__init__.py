"""From files to the graph: sources, projection, planner, pipeline."""
