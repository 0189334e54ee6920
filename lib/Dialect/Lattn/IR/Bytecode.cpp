//===- Bytecode.cpp - The lattn dialect in MLIR's bytecode ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// TableGen's code for an op's attributes knows no names: with one more
// attribute it would misread what was written before. Here they are a
// dictionary, so that an attribute can be added, and renamed or replaced where
// it is read. A version that changes what IR means upgrades it in
// `upgradeFromVersion`.

#include "Bytecode.h"
#include "lattn/Dialect/Lattn/IR/DialectVersion.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace lattn;

namespace {
struct BytecodeInterface : BytecodeDialectInterface {
  BytecodeInterface(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const final {
    LattnVersion current = LattnVersion::getCurrent();
    writer.writeVarInt(current.major);
    writer.writeVarInt(current.minor);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const final {
    uint64_t major, minor;
    if (failed(reader.readVarInt(major)) || failed(reader.readVarInt(minor)))
      return nullptr;
    LattnVersion current = LattnVersion::getCurrent();
    if (std::tie(major, minor) <= std::tie(current.major, current.minor))
      return std::make_unique<LattnVersion>(major, minor);
    reader.emitError() << "the file needs a newer lattn: expected version "
                       << current.major << '.' << current.minor
                       << " of the dialect at most, got " << major << '.'
                       << minor;
    return nullptr;
  }
};
} // namespace

void lattn::addBytecodeInterface(LattnDialect &dialect) {
  dialect.addInterfaces<BytecodeInterface>();
}

//===----------------------------------------------------------------------===//
// Files without a version
//===----------------------------------------------------------------------===//

namespace {
/// An op as it was before version 1.0: its attributes in the order in which
/// they were written, `!` behind those that it always had, and the number of
/// its groups of operands where there are several.
struct OldOp {
  StringLiteral name, attributes;
  unsigned segments;
};
} // namespace

static constexpr OldOp kOldOps[] = {
    {"attention", "bias_map causal layout scale schedule window", 13},
    {"attention_grad", "bias_map causal layout scale schedule window", 21},
    {"attention_grad_step", "bias_map causal scale schedule window", 18},
    {"attention_scores", "bias_map causal layout scale stage! window", 10},
    {"finalize", "value_axis!", 0},
    {"l2_normalize", "eps", 0},
    {"local_attention",
     "autopad call_window_size causal dim exact_windowsize layout "
     "look_backward look_forward scale shared_qk theta use_xpos window_size! "
     "xpos_scale_base",
     7},
    {"local_mha",
     "autopad causal dim exact_windowsize heads! look_backward look_forward "
     "norm_eps scale shared_qk theta use_xpos window_size! xpos_scale_base",
     12},
    {"merge", "value_axis!", 0},
    {"multihead_attention",
     "causal heads! is_first_step scale subln_eps use_xpos window "
     "xpos_scale_base",
     23},
    {"online_attention", "bias_map causal indexing_maps scale schedule window",
     15},
    {"pack_query", "scale!", 0},
    {"rotary",
     "dim! downscale interleaved position_axis theta transposed "
     "xpos_scale_base",
     4},
    {"rotate_pairs", "interleaved position_axis!", 0},
    {"stage_rows", "position_axis!", 0},
    {"sweep_keys", "key_tile! runs!", 2}};

/// What MLIR wrote for the numbers of operands in groups.
static constexpr uint64_t kSegmentsAsArray = 6;

static LogicalResult readOldAttributes(DialectBytecodeReader &reader,
                                       const OldOp &op,
                                       DictionaryAttr &attributes) {
  NamedAttrList found;
  SmallVector<StringRef> names;
  op.attributes.split(names, ' ');
  for (StringRef name : names) {
    Attribute value;
    bool always = name.consume_back("!");
    if (failed(always ? reader.readAttribute(value)
                      : reader.readOptionalAttribute(value)))
      return failure();
    if (value)
      found.append(name, value);
  }
  if (op.segments) {
    SmallVector<int32_t> sizes(op.segments);
    if (failed(reader.readSparseArray(MutableArrayRef<int32_t>(sizes))))
      return failure();
    found.append("operandSegmentSizes",
                 DenseI32ArrayAttr::get(reader.getContext(), sizes));
  }
  attributes = found.getDictionary(reader.getContext());
  return success();
}

//===----------------------------------------------------------------------===//
// Attributes of ops
//===----------------------------------------------------------------------===//

/// The dictionary with as many groups of operands as `Op` has: those that a
/// version added stand before the last `behind`.
template <typename Op>
static void addGroups(DictionaryAttr &attributes, size_t behind = 0) {
  constexpr StringLiteral name = "operandSegmentSizes";
  auto sizes = attributes.getAs<DenseI32ArrayAttr>(name);
  constexpr size_t count =
      std::tuple_size_v<decltype(Op::Properties::operandSegmentSizes)>;
  if (!sizes || sizes.size() >= int64_t(count) ||
      sizes.size() < int64_t(behind))
    return;
  SmallVector<int32_t> all(sizes.asArrayRef());
  all.insert(all.end() - behind, count - all.size(), 0);
  NamedAttrList found(attributes);
  found.set(name, DenseI32ArrayAttr::get(attributes.getContext(), all));
  attributes = found.getDictionary(attributes.getContext());
}

/// What version 1.2 added to the derivatives, 1.4 to online_attention, and 1.6
/// to attention_grad_step.
static void addGroups(StringRef op, const LattnVersion &from,
                      DictionaryAttr &attributes) {
  auto isBefore = [&](uint64_t minor) {
    return std::tie(from.major, from.minor) <
           std::tuple<uint64_t, uint64_t>(1, minor);
  };
  if (isBefore(2) && op == AttentionJvpOp::getOperationName())
    addGroups<AttentionJvpOp>(attributes);
  if (isBefore(2) && op == AttentionJvpStepOp::getOperationName())
    addGroups<AttentionJvpStepOp>(attributes);
  if (isBefore(4) && op == OnlineAttentionOp::getOperationName())
    addGroups<OnlineAttentionOp>(attributes, /*behind=*/3);
  if (isBefore(6) && op == AttentionGradStepOp::getOperationName())
    addGroups<AttentionGradStepOp>(attributes, /*behind=*/4);
}

LogicalResult lattn::readAttributes(DialectBytecodeReader &reader, StringRef op,
                                    DictionaryAttr &attributes) {
  auto version = reader.getDialectVersion<LattnDialect>();
  if (succeeded(version)) {
    if (failed(reader.readAttribute(attributes)))
      return failure();
    addGroups(op, *static_cast<const LattnVersion *>(*version), attributes);
    return success();
  }
  StringRef name = op;
  name.consume_front("lattn.");
  const auto *old = llvm::find_if(
      kOldOps, [&](const OldOp &known) { return known.name == name; });
  if (old == std::end(kOldOps) ||
      reader.getBytecodeVersion() < kSegmentsAsArray)
    return reader.emitError()
           << "'" << op
           << "': expected a version of the dialect lattn in the file";
  if (failed(readOldAttributes(reader, *old, attributes)))
    return failure();
  addGroups(op, LattnVersion(0, 0), attributes);
  return success();
}

void lattn::writeAttributes(DialectBytecodeWriter &writer, MLIRContext *context,
                            Attribute attributes) {
  writer.writeAttribute(attributes ? attributes
                                   : DictionaryAttr::get(context, {}));
}
