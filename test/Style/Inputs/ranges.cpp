namespace llvm {
template <typename T> struct SmallVector {
  SmallVector();
  ~SmallVector();
  T *begin() const;
  T *end() const;
};
template <typename T> struct ArrayRef {
  ArrayRef(const SmallVector<T> &vector);
  ArrayRef drop_back() const;
  const T *begin() const;
  const T *end() const;
};
} // namespace llvm

llvm::SmallVector<int> getExtents();

int gone() {
  int sum = 0;
  for (int extent : llvm::ArrayRef<int>(getExtents()).drop_back())
    sum += extent;
  return sum;
}

int kept() {
  int sum = 0;
  for (int extent : getExtents())
    sum += extent;
  llvm::SmallVector<int> extents = getExtents();
  for (int extent : llvm::ArrayRef<int>(extents).drop_back())
    sum += extent;
  return sum;
}
