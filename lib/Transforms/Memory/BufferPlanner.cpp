//===- BufferPlanner.cpp - Lifetimes to offsets ---------------------------===//

#include "BufferPlanner.h"
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
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

using Order = std::function<bool(const PlannedBuffer &, const PlannedBuffer &)>;

/// Places buffers in the given order, each in the lowest gap among the placed
/// ones that are alive with it.
int64_t planInOrder(Buffers &buffers, int64_t alignment, const Order &before) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return before(buffers[a], buffers[b]);
  });
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

} // namespace

MemoryPlan planBuffers(std::vector<PlannedBuffer> &buffers,
                       int64_t alignment) {
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
  Buffers best = real;
  plan.arena = planBySweep(best, alignment);
  auto consider = [&](const Order &before) {
    if (plan.arena == plan.bound)
      return;
    Buffers attempt = real;
    int64_t arena = planInOrder(attempt, alignment, before);
    if (arena < plan.arena) {
      plan.arena = arena;
      best = std::move(attempt);
    }
  };
  if (real.size() <= kQuadraticLimit) {
    auto length = [](const PlannedBuffer &b) { return b.last - b.first + 1; };
    consider([](const PlannedBuffer &a, const PlannedBuffer &b) {
      return a.bytes > b.bytes;
    });
    consider([&](const PlannedBuffer &a, const PlannedBuffer &b) {
      return length(a) > length(b);
    });
    consider([&](const PlannedBuffer &a, const PlannedBuffer &b) {
      return double(a.bytes) * length(a) > double(b.bytes) * length(b);
    });
    consider([](const PlannedBuffer &a, const PlannedBuffer &b) {
      return a.first < b.first;
    });
    consider([](const PlannedBuffer &a, const PlannedBuffer &b) {
      return a.last > b.last;
    });
  }
  for (size_t i = 0; i < real.size(); ++i)
    buffers[indices[i]].offset = best[i].offset;
  return plan;
}

} // namespace amp
