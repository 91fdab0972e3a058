//===- Network.cpp - Minimum cut of a flow network ------------------------===//

#include "Network.h"
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

namespace amp::cut {
namespace {

using Traits =
    boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;

struct Edge {
  Cost capacity = 0, residual = 0;
  Traits::edge_descriptor reverse;
};

struct Node {
  boost::default_color_type color = boost::white_color;
  long distance = 0;
  Traits::edge_descriptor predecessor;
};

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                                    Node, Edge>;

void addEdge(Graph &graph, unsigned from, unsigned to, Cost there, Cost back) {
  auto forward = boost::add_edge(from, to, graph).first;
  auto reverse = boost::add_edge(to, from, graph).first;
  graph[forward].capacity = there;
  graph[forward].reverse = reverse;
  graph[reverse].capacity = back;
  graph[reverse].reverse = forward;
}

/// Nodes that a source still reaches: of all minimum cuts the one with the
/// smallest side of the source, whatever flow was found.
std::vector<bool> reached(const Graph &graph, unsigned source) {
  std::vector<bool> seen(boost::num_vertices(graph), false);
  std::vector<unsigned> open = {source};
  seen[source] = true;
  while (!open.empty()) {
    unsigned node = open.back();
    open.pop_back();
    for (auto [edge, end] = boost::out_edges(node, graph); edge != end;
         ++edge) {
      unsigned next = boost::target(*edge, graph);
      if (graph[*edge].residual > 0 && !seen[next]) {
        seen[next] = true;
        open.push_back(next);
      }
    }
  }
  return seen;
}

} // namespace

std::vector<bool> Network::solve() const {
  unsigned count = unary.size();
  if (!count)
    return {};
  // True is the side of the source: what a true variable costs is an edge to
  // the sink, which that cut severs.
  const unsigned source = count, sink = count + 1;
  Graph graph(count + 2);
  for (unsigned i = 0; i < count; ++i) {
    Cost least = std::min(unary[i].ifFalse, unary[i].ifTrue);
    if (unary[i].ifFalse > least)
      addEdge(graph, source, i, unary[i].ifFalse - least, 0);
    if (unary[i].ifTrue > least)
      addEdge(graph, i, sink, unary[i].ifTrue - least, 0);
  }
  for (const Pair &pair : pairs)
    addEdge(graph, pair.first, pair.second, pair.cost, 0);
  boost::boykov_kolmogorov_max_flow(
      graph, boost::get(&Edge::capacity, graph),
      boost::get(&Edge::residual, graph), boost::get(&Edge::reverse, graph),
      boost::get(&Node::predecessor, graph), boost::get(&Node::color, graph),
      boost::get(&Node::distance, graph),
      boost::get(boost::vertex_index, graph), source, sink);
  std::vector<bool> values = reached(graph, source);
  values.resize(count);
  return values;
}

} // namespace amp::cut
