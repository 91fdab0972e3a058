//===- BufferPlanner.cpp - Lifetimes to offsets ---------------------------===//

#include "BufferPlanner.h"
#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace amp {
namespace {

using Buffers = std::vector<PlannedBuffer>;

int64_t aligned(int64_t bytes, int64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

int64_t livenessBound(const Buffers &buffers, int64_t alignment) {
  std::map<int64_t, int64_t> change;
  for (const PlannedBuffer &buffer : buffers) {
    change[buffer.first] += aligned(buffer.bytes, alignment);
    change[buffer.last + 1] -= aligned(buffer.bytes, alignment);
  }
  int64_t alive = 0, bound = 0;
  for (auto [position, delta] : change) {
    alive += delta;
    bound = std::max(bound, alive);
  }
  return bound;
}

/// Free ranges of the arena during a sweep over time.
class FreeRanges {
public:
  /// Takes the smallest range that fits, or grows the arena.
  int64_t take(int64_t bytes) {
    auto it = bySize.lower_bound({bytes, 0});
    if (it != bySize.end()) {
      auto [size, offset] = *it;
      remove(offset, size);
      if (size > bytes)
        add(offset + bytes, size - bytes);
      return offset;
    }
    // The last range, if it reaches the end, is extended.
    int64_t offset = end;
    if (!byOffset.empty()) {
      auto last = std::prev(byOffset.end());
      if (last->first + last->second == end) {
        offset = last->first;
        remove(last->first, last->second);
      }
    }
    end = offset + bytes;
    return offset;
  }

  void give(int64_t offset, int64_t bytes) {
    auto next = byOffset.lower_bound(offset);
    if (next != byOffset.end() && offset + bytes == next->first) {
      bytes += next->second;
      remove(next->first, next->second);
    }
    next = byOffset.lower_bound(offset);
    if (next != byOffset.begin()) {
      auto previous = std::prev(next);
      if (previous->first + previous->second == offset) {
        offset = previous->first;
        bytes += previous->second;
        remove(previous->first, previous->second);
      }
    }
    add(offset, bytes);
  }

  int64_t end = 0;

private:
  void add(int64_t offset, int64_t bytes) {
    byOffset[offset] = bytes;
    bySize.insert({bytes, offset});
  }
  void remove(int64_t offset, int64_t bytes) {
    byOffset.erase(offset);
    bySize.erase({bytes, offset});
  }
  std::map<int64_t, int64_t> byOffset;
  std::set<std::pair<int64_t, int64_t>> bySize;
};

int64_t planBySweep(Buffers &buffers, int64_t alignment) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::make_pair(buffers[a].first, -buffers[a].bytes) <
           std::make_pair(buffers[b].first, -buffers[b].bytes);
  });
  std::multimap<int64_t, size_t> ends;
  FreeRanges free;
  for (size_t i : order) {
    while (!ends.empty() && ends.begin()->first < buffers[i].first) {
      const PlannedBuffer &done = buffers[ends.begin()->second];
      free.give(done.offset, aligned(done.bytes, alignment));
      ends.erase(ends.begin());
    }
    buffers[i].offset = free.take(aligned(buffers[i].bytes, alignment));
    ends.insert({buffers[i].last, i});
  }
  return free.end;
}

/// Buffer numbers in the order they are placed in.
using Order = std::vector<size_t>;

/// Places buffers in the given order, each in the lowest gap among the placed
/// ones that are alive with it.
int64_t planInOrder(Buffers &buffers, int64_t alignment, const Order &order) {
  std::multimap<int64_t, size_t> placed; // by offset
  int64_t arena = 0;
  for (size_t i : order) {
    PlannedBuffer &buffer = buffers[i];
    int64_t bytes = aligned(buffer.bytes, alignment), place = 0;
    for (auto [offset, j] : placed) {
      const PlannedBuffer &other = buffers[j];
      if (other.last < buffer.first || other.first > buffer.last)
        continue;
      if (place + bytes <= offset)
        break;
      place = std::max(place, offset + aligned(other.bytes, alignment));
    }
    buffer.offset = place;
    placed.insert({place, i});
    arena = std::max(arena, place + bytes);
  }
  return arena;
}

/// Above this the quadratic strategies are left out.
constexpr size_t kQuadraticLimit = 8000;
/// Pairs of buffers that the search for better orders may look at: about a
/// quarter of a second.
constexpr size_t kSearchPairs = 30'000'000;
/// Orders the search may try: what helps is found early.
constexpr size_t kMostOrders = 2000;

/// Keeps the best plan of all that are tried.
class Search {
public:
  Search(const Buffers &buffers, int64_t alignment, MemoryPlan &plan)
      : best(buffers), buffers(buffers), alignment(alignment), plan(plan) {
    plan.arena = planBySweep(best, alignment);
  }

  /// Several orders by a property, largest first.
  void tryProperties();
  /// Changes the best order a little, again and again: a buffer at the top of
  /// the arena was placed too late.
  void tryNeighbours();

  Buffers best;

private:
  bool done() const { return plan.arena == plan.bound; }
  void consider(const Order &order);

  const Buffers &buffers;
  int64_t alignment;
  MemoryPlan &plan;
  /// The best order so far, where it puts the buffers, and the arena it needs.
  Order bestOrder;
  Buffers placedInOrder;
  int64_t orderArena = INT64_MAX;
};

void Search::consider(const Order &order) {
  Buffers attempt = buffers;
  int64_t arena = planInOrder(attempt, alignment, order);
  if (arena < plan.arena) {
    plan.arena = arena;
    best = attempt;
  }
  if (arena <= orderArena) {
    orderArena = arena;
    bestOrder = order;
    placedInOrder = std::move(attempt);
  }
}

void Search::tryProperties() {
  using Property = double (*)(const PlannedBuffer &);
  auto length = [](const PlannedBuffer &b) -> double {
    return double(b.last - b.first + 1);
  };
  auto bytes = [](const PlannedBuffer &b) -> double { return double(b.bytes); };
  auto area = [](const PlannedBuffer &b) -> double {
    return double(b.bytes) * double(b.last - b.first + 1);
  };
  auto early = [](const PlannedBuffer &b) -> double {
    return -double(b.first);
  };
  auto late = [](const PlannedBuffer &b) -> double { return double(b.last); };
  for (Property property : {Property(bytes), Property(length), Property(area),
                            Property(early), Property(late)}) {
    if (done())
      return;
    Order order(buffers.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return property(buffers[a]) > property(buffers[b]);
    });
    consider(order);
  }
}

void Search::tryNeighbours() {
  size_t pairs = buffers.size() * buffers.size();
  size_t attempts =
      std::min(kMostOrders, kSearchPairs / std::max<size_t>(pairs, 1));
  // A fixed sequence: the same model gives the same bytes.
  std::minstd_rand random(1);
  for (size_t i = 0; i < attempts && !done(); ++i) {
    Order order = bestOrder;
    std::vector<size_t> top;
    for (size_t at = 0; at < order.size(); ++at) {
      const PlannedBuffer &buffer = placedInOrder[order[at]];
      if (buffer.offset + aligned(buffer.bytes, alignment) == orderArena)
        top.push_back(at);
    }
    size_t from = top[random() % top.size()];
    size_t to = from ? random() % from : 0;
    std::rotate(order.begin() + to, order.begin() + from,
                order.begin() + from + 1);
    // Now and then two others change places.
    if (random() % 2)
      std::swap(order[random() % order.size()], order[random() % order.size()]);
    consider(order);
  }
}

} // namespace

MemoryPlan planBuffers(std::vector<PlannedBuffer> &buffers, int64_t alignment) {
  MemoryPlan plan;
  plan.bound = livenessBound(buffers, alignment);
  Buffers real;
  std::vector<size_t> indices;
  for (size_t i = 0; i < buffers.size(); ++i) {
    buffers[i].offset = 0;
    if (buffers[i].bytes > 0) {
      real.push_back(buffers[i]);
      indices.push_back(i);
    }
  }
  Search search(real, alignment, plan);
  if (real.size() <= kQuadraticLimit) {
    search.tryProperties();
    search.tryNeighbours();
  }
  const Buffers &best = search.best;
  for (size_t i = 0; i < real.size(); ++i)
    buffers[indices[i]].offset = best[i].offset;
  return plan;
}

} // namespace amp
