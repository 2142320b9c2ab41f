"""What a tree of two nodes looks like, as text. (Its lines are as long as Graphviz's are.)"""
# ruff: noqa: E501

GOLDEN_DOT = """\
digraph search_tree {
{t}graph [bgcolor=transparent nodesep=0.1 ordering=out outputorder=edgesfirst ranksep=0.5 splines=line]
{t}node [color="#9a9a9a" fontcolor="#17191b" fontname="Helvetica,Arial,sans-serif" fontsize=10 height=0.3 margin="0.09,0.05" shape=box style="filled,rounded" width=0.3]
{t}edge [arrowhead=none color="#9a9a9a" headport=n tailport=s]
{t}n0 [label="Ann & Bob to move
N 2
value +0.50" class=n0 color="#a4408f" fillcolor="#a0ccea" penwidth=2.5 width=2.03]
{t}n1 [label="pass
N 1
Q +0.50
draw" class=n1 color="#a4408f" fillcolor="#a0ccea" penwidth=2.5 style=filled width=0.86]
{t}n0 -> n1 [class=n1 color="#a4408f" penwidth=4.40]
}
""".replace("{t}", "\t")

GOLDEN_PICTURE = [
    "svg",
    " g graph",
    "  title all 2 nodes of the tree",
    "  g edge n1",
    "   title pass, 1 visit, mean value +0.50 for Ann & Bob (win rate 75%)",
    "   path",
    "  g node n0",
    "   title Ann & Bob to move, 2 visits, mean value +0.50 for Ann & Bob (win rate 75%), 1 move not tried yet",
    "   path",
    "   text Ann & Bob to move",
    "   text N 2",
    "   text value +0.50",
    "   svg Position",
    "   circle",
    "   svg Stone",
    "  g node n1",
    "   title pass, 1 visit, mean value +0.50 for Ann & Bob (win rate 75%)",
    "   polygon",
    "   text pass",
    "   text N 1",
    "   text Q +0.50",
    "   text draw",
    "   svg Position",
    "   circle",
    "   svg Stone",
    " g legend",
    "  text −1",
    "  g bar",
    "  text +1",
    "  text Q, the mean value for the player who made the move",
    "  path",
    "  path",
    "  path",
    "  text principal variation; thicker edge, more simulations",
    "  text all 2 nodes of the tree",
]
