//===- Attributes.cpp - Attributes of the lattn dialect -------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn-c/Dialects.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include <cstring>

using namespace lattn;

/// Errors of verifiers, with no place.
static auto makeEmitError(MlirContext context) {
  return [context] {
    return mlir::emitError(mlir::UnknownLoc::get(unwrap(context)));
  };
}

static std::optional<int64_t> toOptional(int64_t number) {
  return number == LATTN_ABSENT ? std::nullopt : std::optional(number);
}

/// The number of an enumerator. In C it may be any; C++ must not load one that
/// is not declared.
template <typename CEnum> static int getNumber(const CEnum &value) {
  int number;
  static_assert(sizeof(number) == sizeof(value), "an enum of C is an int");
  std::memcpy(&number, &value, sizeof(number));
  return number;
}

/// An enumerator of C as the dialect's; absent with an error where there is
/// none.
template <typename CEnum, typename Enum>
static std::optional<Enum> toEnumerator(MlirContext context, const CEnum &value,
                                        std::optional<Enum> (*find)(uint32_t),
                                        const char *what) {
  int number = getNumber(value);
  std::optional<Enum> found = find(static_cast<uint32_t>(number));
  if (!found)
    makeEmitError(context)()
        << what << ": no enumerator has the number " << number;
  return found;
}

template <typename Attr, typename CEnum, typename Enum>
static MlirAttribute getEnumAttr(MlirContext context, const CEnum &value,
                                 std::optional<Enum> (*find)(uint32_t),
                                 const char *what) {
  std::optional<Enum> known = toEnumerator(context, value, find, what);
  return known ? wrap(Attr::get(unwrap(context), *known)) : MlirAttribute{};
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

static WindowAttr toWindow(MlirAttribute window) {
  return mlir::cast<WindowAttr>(unwrap(window));
}

MlirAttribute lattnWindowAttrGet(MlirContext context, int64_t left,
                                 int64_t right, int64_t bucket, int64_t back,
                                 int64_t forward) {
  return wrap(WindowAttr::getChecked(makeEmitError(context), unwrap(context),
                                     toOptional(left), toOptional(right),
                                     toOptional(bucket), back, forward));
}

bool lattnAttributeIsAWindow(MlirAttribute attribute) {
  return mlir::isa_and_nonnull<WindowAttr>(unwrap(attribute));
}

int64_t lattnWindowAttrGetLeft(MlirAttribute window) {
  return toWindow(window).getLeft().value_or(LATTN_ABSENT);
}

int64_t lattnWindowAttrGetRight(MlirAttribute window) {
  return toWindow(window).getRight().value_or(LATTN_ABSENT);
}

int64_t lattnWindowAttrGetBucket(MlirAttribute window) {
  return toWindow(window).getBucket().value_or(LATTN_ABSENT);
}

int64_t lattnWindowAttrGetBack(MlirAttribute window) {
  return toWindow(window).getBack();
}

int64_t lattnWindowAttrGetForward(MlirAttribute window) {
  return toWindow(window).getForward();
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

static ScheduleAttr toSchedule(MlirAttribute schedule) {
  return mlir::cast<ScheduleAttr>(unwrap(schedule));
}

MlirAttribute lattnScheduleAttrGet(MlirContext context, int64_t queryTile,
                                   int64_t keyTile, LattnProducts products,
                                   LattnLanes lanes, int64_t leastQueries,
                                   MlirAttribute fallback) {
  std::optional<Products> kind;
  if (getNumber(products) != LattnProductsAbsent &&
      !(kind = toEnumerator(context, products, symbolizeProducts, "products")))
    return {};
  std::optional<Lanes> held;
  if (getNumber(lanes) != LattnLanesAbsent &&
      !(held = toEnumerator(context, lanes, symbolizeLanes, "lanes")))
    return {};
  mlir::Attribute other = unwrap(fallback);
  if (other && !mlir::isa<ScheduleAttr>(other)) {
    makeEmitError(context)()
        << "fallback: expected a #lattn.schedule, got " << other;
    return {};
  }
  return wrap(ScheduleAttr::getChecked(
      makeEmitError(context), unwrap(context), toOptional(queryTile),
      toOptional(keyTile), kind, held, toOptional(leastQueries),
      mlir::cast_if_present<ScheduleAttr>(other)));
}

bool lattnAttributeIsASchedule(MlirAttribute attribute) {
  return mlir::isa_and_nonnull<ScheduleAttr>(unwrap(attribute));
}

int64_t lattnScheduleAttrGetQueryTile(MlirAttribute schedule) {
  return toSchedule(schedule).getQueryTile().value_or(LATTN_ABSENT);
}

int64_t lattnScheduleAttrGetKeyTile(MlirAttribute schedule) {
  return toSchedule(schedule).getKeyTile().value_or(LATTN_ABSENT);
}

LattnProducts lattnScheduleAttrGetProducts(MlirAttribute schedule) {
  std::optional<Products> products = toSchedule(schedule).getProducts();
  return products ? static_cast<LattnProducts>(*products) : LattnProductsAbsent;
}

LattnLanes lattnScheduleAttrGetLanes(MlirAttribute schedule) {
  std::optional<Lanes> lanes = toSchedule(schedule).getLanes();
  return lanes ? static_cast<LattnLanes>(*lanes) : LattnLanesAbsent;
}

int64_t lattnScheduleAttrGetLeastQueries(MlirAttribute schedule) {
  return toSchedule(schedule).getLeastQueries().value_or(LATTN_ABSENT);
}

MlirAttribute lattnScheduleAttrGetFallback(MlirAttribute schedule) {
  return wrap(mlir::Attribute(toSchedule(schedule).getFallback()));
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

MlirAttribute lattnGridAttrGet(MlirContext context, MlirStringRef kernel,
                               LattnGridBlocks blocks) {
  std::optional<GridBlocks> known =
      toEnumerator(context, blocks, symbolizeGridBlocks, "blocks");
  if (!known)
    return {};
  return wrap(GridAttr::getChecked(makeEmitError(context), unwrap(context),
                                   unwrap(kernel), *known));
}

bool lattnAttributeIsAGrid(MlirAttribute attribute) {
  return mlir::isa_and_nonnull<GridAttr>(unwrap(attribute));
}

MlirStringRef lattnGridAttrGetKernel(MlirAttribute grid) {
  return wrap(mlir::cast<GridAttr>(unwrap(grid)).getKernel());
}

LattnGridBlocks lattnGridAttrGetBlocks(MlirAttribute grid) {
  return static_cast<LattnGridBlocks>(
      mlir::cast<GridAttr>(unwrap(grid)).getBlocks());
}

//===----------------------------------------------------------------------===//
// Enumerators
//===----------------------------------------------------------------------===//

#define LATTN_DEFINE_ENUM_ATTR(Name)                                           \
  MlirAttribute lattn##Name##AttrGet(MlirContext context, Lattn##Name value) { \
    return getEnumAttr<Name##Attr>(context, value, symbolize##Name, #Name);    \
  }                                                                            \
  bool lattnAttributeIsA##Name(MlirAttribute attribute) {                      \
    return mlir::isa_and_nonnull<Name##Attr>(unwrap(attribute));               \
  }                                                                            \
  Lattn##Name lattn##Name##AttrGetValue(MlirAttribute attribute) {             \
    return static_cast<Lattn##Name>(                                           \
        mlir::cast<Name##Attr>(unwrap(attribute)).getValue());                 \
  }

LATTN_DEFINE_ENUM_ATTR(Layout)
LATTN_DEFINE_ENUM_ATTR(Stage)
LATTN_DEFINE_ENUM_ATTR(SweepRun)
