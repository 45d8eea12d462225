"""Where the boxes and lines of a picture go: a layered layout in four steps, after Sugiyama, Tagawa and Toda (1981).

``layers`` makes the graph acyclic and gives each node a layer, ``chains`` cuts long edges into segments between
neighbouring layers, ``ordering`` orders the nodes of each layer so that few edges cross, ``placing`` gives them
coordinates; ``layered`` combines the four. All of it is arithmetic on arrays: no names, no times, no text. The same
input gives the same layout. Imports numba through ``graph.arrays.compiled`` and nothing else from the product.
"""
