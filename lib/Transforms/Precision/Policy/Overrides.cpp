//===- Overrides.cpp - What the user wants of each op ---------------------===//

#include "Overrides.h"
#include "../Slots.h"
#include "amp/Dialect/Amp/IR/NamePattern.h"

using namespace mlir;
using namespace amp;
using llvm::Twine;

namespace {

/// Two words for one wish.
StringRef canonical(StringRef precision) {
  if (precision == "off" || precision == "keep")
    return "fp32";
  return precision == "allow" ? "low" : precision;
}

std::string conflict(Operation *op, const Wish &a, const Wish &b) {
  std::string wishes = a.origin + " wants " + a.precision + " and " + b.origin +
                       " wants " + b.precision;
  if (a.source == "region" && b.source == "region")
    return quotedName(a.name) + ": " + wishes +
           "; neither region lies inside the other, so one of them has to go";
  // A node and what it makes are one thing anyway.
  if (a.name == b.name || a.source != "node" || b.source != "node")
    return quotedName(a.name) + ": " + wishes +
           "; they are equally strong, so one of them has to go";
  // Each may be right for its node, but the compiler made one op of the two.
  std::string text = quotedName(a.name) + " and " + quotedName(b.name) +
                     " are one op here, " + op->getName().getStringRef().str() +
                     ", which is decided as a whole: " + wishes +
                     ", so one of them has to go";
  if (isa<AttentionOp, AttentionGradOp>(op))
    text += " (its softmax and its sums are float32 in either case: low, its "
            "products read the low type; fp32, they read float32)";
  return text;
}

template <typename Map>
SmallVector<StringRef> keysOf(const Map &map) {
  SmallVector<StringRef> keys;
  for (auto &entry : map)
    keys.push_back(entry.first);
  return keys;
}

} // namespace

bool Overrides::fail(const Twine &text) {
  if (error.empty())
    error = text.str();
  return false;
}

bool Overrides::wish(Operation *op, const Wish &wish) {
  auto [it, isNew] = wishes.try_emplace(op, wish);
  if (isNew || it->second.strength > wish.strength)
    return true;
  if (canonical(it->second.precision) == canonical(wish.precision))
    return true;
  return fail(conflict(op, it->second, wish));
}

bool Overrides::wishStorage(OpResult result, const Wish &wish) {
  auto [it, isNew] = storages.try_emplace(result, wish);
  if (!isNew && canonical(it->second.precision) != canonical(wish.precision))
    return fail(conflict(result.getOwner(), it->second, wish));
  // A node that is to be one and a result that is to be the other.
  auto node = wishes.find(result.getOwner());
  if (node != wishes.end() && node->second.strength == wish.strength &&
      node->second.precision != "follow" && wish.precision != "follow" &&
      canonical(node->second.precision) != canonical(wish.precision))
    return fail(conflict(result.getOwner(), node->second, wish));
  return true;
}

bool Overrides::nodes(const PolicyRule &rule, bool &found) {
  for (auto &[name, ops] : index.nodes) {
    if (!matchesPattern(rule.pattern, name))
      continue;
    found = true;
    Wish own{rule.precision, Wish::Named, "node", rule.origin, name};
    for (Operation *op : ops)
      if (!wish(op, own))
        return false;
  }
  return true;
}

bool Overrides::tensors(const PolicyRule &rule, bool &found) {
  for (auto &[name, values] : index.values) {
    if (!matchesPattern(rule.pattern, name))
      continue;
    found = true;
    Wish own{rule.precision, Wish::Named, "tensor", rule.origin, name};
    for (Value value : values) {
      Operation *maker = value.getDefiningOp();
      bool given = !maker || isa<ReadOp, ConstantOp>(maker);
      if (!given && !wishStorage(cast<OpResult>(value), own))
        return false;
      // What is given has its type; its readers are what can be chosen.
      if (given)
        for (Operation *op :
             index.withBackward(GraphIndex::readers(value).getArrayRef()))
          if (!wish(op, own))
            return false;
    }
  }
  return true;
}

bool Overrides::types(const PolicyRule &rule, bool &found) {
  for (auto &[name, ops] : index.types) {
    if (!matchesPattern(rule.pattern, name))
      continue;
    found = true;
    Wish own{rule.precision, Wish::OpType, "op-type", rule.origin, name};
    for (Operation *op : index.withBackward(ops)) {
      Wish named = own;
      if (auto names = GraphIndex::namesOf(op); !names.empty())
        named.name = names.front().str();
      if (!wish(op, named))
        return false;
    }
  }
  return true;
}

SmallVector<Value> Overrides::valuesNamed(StringRef pattern) const {
  SmallVector<Value> result;
  for (auto &[name, values] : index.values)
    if (matchesPattern(pattern, name))
      llvm::append_range(result, values);
  if (!result.empty())
    return result;
  // A node stands for what it makes.
  for (auto &[name, ops] : index.nodes) {
    if (!matchesPattern(pattern, name))
      continue;
    llvm::MapVector<Operation *, Operation *> last;
    for (Operation *op : ops)
      if (phaseOf(op) == Phase::Forward && op->getNumResults())
        last[op->getParentOp()] = op;
    for (auto &[function, op] : last)
      llvm::append_range(result, op->getResults());
  }
  return result;
}

bool Overrides::noMatch(const PolicyRule &rule, StringRef what,
                        ArrayRef<StringRef> known) {
  std::string near = nearNames(rule.pattern, known);
  return fail(rule.origin + ": " + quotedName(rule.pattern) + " matches no " +
              what + (near.empty() ? "" : "; near are ") + near);
}

/// The ops of a region, backward included.
bool Overrides::collect(const PolicyRegion &region,
                        llvm::SetVector<Operation *> &ops) {
  PolicyRule rule{region.nodes, region.precision, region.origin};
  SmallVector<StringRef> known = keysOf(index.nodes);
  if (!region.nodes.empty()) {
    for (auto &[name, named] : index.nodes)
      if (matchesPattern(region.nodes, name))
        ops.insert(named.begin(), named.end());
    if (ops.empty())
      return noMatch(rule, "node", known);
  } else {
    llvm::append_range(known, keysOf(index.values));
    SmallVector<Value> ends[2];
    unsigned side = 0;
    for (auto *names : {&region.from, &region.to}) {
      for (const std::string &name : *names) {
        SmallVector<Value> values = valuesNamed(name);
        rule.pattern = name;
        if (values.empty())
          return noMatch(rule, "value", known);
        llvm::append_range(ends[side], values);
      }
      ++side;
    }
    ops = index.between(ends[0], ends[1]);
    if (ops.empty())
      return fail(region.origin + ": no op lies on a path from " +
                  quotedName(region.from.front()) + " to " +
                  quotedName(region.to.front()));
  }
  ops = index.withBackward(ops.getArrayRef());
  return true;
}

/// The smallest regions first: what lies in several that are nested is decided
/// by the innermost one.
bool Overrides::regions() {
  using Ops = llvm::SetVector<Operation *>;
  std::vector<std::pair<const PolicyRegion *, Ops>> sorted;
  for (const PolicyRegion &region : config.regions) {
    Ops ops;
    if (!collect(region, ops))
      return false;
    sorted.push_back({&region, std::move(ops)});
  }
  llvm::stable_sort(sorted, [](auto &a, auto &b) {
    return a.second.size() < b.second.size();
  });
  llvm::DenseMap<Operation *, const Ops *> inner;
  for (auto &[region, ops] : sorted) {
    Wish own{region->precision, Wish::Region, "region", region->origin, ""};
    llvm::SmallDenseMap<const Ops *, bool> within;
    for (Operation *op : ops) {
      auto [first, isNew] = inner.try_emplace(op, &ops);
      const Ops *smaller = first->second;
      if (!isNew) {
        auto [nested, isOpen] = within.try_emplace(smaller, false);
        if (isOpen)
          nested->second =
              smaller->size() < ops.size() &&
              llvm::all_of(
                  *smaller, [&](Operation *one) { return ops.contains(one); });
        if (nested->second)
          continue;
      }
      auto names = GraphIndex::namesOf(op);
      own.name = names.empty() ? op->getName().getStringRef().str()
                               : names.front().str();
      if (!wish(op, own))
        return false;
    }
  }
  return true;
}

bool Overrides::customOps(const PolicyRule &rule) {
  SmallVector<StringRef> known;
  bool found = false;
  for (auto &[name, ops] : index.types) {
    Operation *first = ops.front();
    if (isa<PrecisionOpInterface>(first) ||
        first->getName().getStringRef() != name)
      continue;
    known.push_back(name);
    if (!matchesPattern(rule.pattern, name))
      continue;
    found = true;
    Wish own{rule.precision, Wish::OpType, "op-type", rule.origin, name};
    for (Operation *op : ops)
      if (!wish(op, own))
        return false;
  }
  return found || noMatch(rule, "op from outside the dialect", known);
}

bool Overrides::resolve(std::string &message) {
  // The strong ones first, so that a weak one never conflicts with another
  // where a strong one decides anyway.
  auto run = [&] {
    SmallVector<StringRef> everything = keysOf(index.nodes);
    llvm::append_range(everything, keysOf(index.values));
    llvm::append_range(everything, keysOf(index.types));
    for (const PolicyRule &rule : config.nodes) {
      bool found = false;
      if (!nodes(rule, found))
        return false;
      if (!found)
        return noMatch(rule, "node", keysOf(index.nodes));
    }
    std::vector<bool> known;
    for (const PolicyRule &rule : config.anything) {
      bool found = false;
      if (!nodes(rule, found))
        return false;
      known.push_back(found);
    }
    for (const PolicyRule &rule : config.tensors) {
      bool found = false;
      if (!tensors(rule, found))
        return false;
      if (!found)
        return noMatch(rule, "tensor", keysOf(index.values));
    }
    for (auto [i, rule] : llvm::enumerate(config.anything)) {
      bool found = false;
      if (!tensors(rule, found))
        return false;
      known[i] = known[i] || found;
    }
    if (!regions())
      return false;
    for (auto [i, rule] : llvm::enumerate(config.anything)) {
      bool found = false;
      if (!types(rule, found))
        return false;
      if (!found && !known[i])
        return noMatch(rule, "node, op type or value", everything);
    }
    for (const PolicyRule &rule : config.ops) {
      bool found = false;
      if (!types(rule, found))
        return false;
      if (!found)
        return noMatch(rule, "op type of the model", keysOf(index.types));
    }
    for (const PolicyRule &rule : config.customOps)
      if (!customOps(rule))
        return false;
    return true;
  };
  bool ok = run();
  message = error;
  return ok;
}

const Wish *Overrides::of(Operation *op) const {
  auto found = wishes.find(op);
  return found == wishes.end() ? nullptr : &found->second;
}

const Wish *Overrides::storage(OpResult result) const {
  auto found = storages.find(result);
  return found == storages.end() ? nullptr : &found->second;
}
