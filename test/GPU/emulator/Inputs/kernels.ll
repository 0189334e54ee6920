; What LLVM's back-end makes of shared memory, switches, structures, stacks,
; calls and undefined halves.

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [32 x [33 x float]] undef, align 4
@table = internal addrspace(4) constant [4 x i32] [i32 3, i32 1, i32 4, i32 1]

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare float @llvm.nvvm.ex2.approx.ftz.f32(float)
declare float @llvm.maxnum.f32(float, float)

define ptx_kernel void @transpose(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %y, 32
  %at = add i32 %row, %x
  %from = getelementptr float, ptr addrspace(1) %in, i32 %at
  %v = load float, ptr addrspace(1) %from
  %s = getelementptr [32 x [33 x float]], ptr addrspace(3) @tile, i32 0, i32 %y, i32 %x
  store float %v, ptr addrspace(3) %s
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %t = getelementptr [32 x [33 x float]], ptr addrspace(3) @tile, i32 0, i32 %x, i32 %y
  %w = load float, ptr addrspace(3) %t
  %e = call float @llvm.nvvm.ex2.approx.ftz.f32(float %w)
  %to = getelementptr float, ptr addrspace(1) %out, i32 %at
  store float %e, ptr addrspace(1) %to
  ret void
}

define internal i32 @helper(i32 %x, i32 %n) noinline {
  switch i32 %n, label %other [ i32 0, label %a  i32 1, label %b
                                i32 2, label %c  i32 3, label %d
                                i32 4, label %e ]
a:
  ret i32 %x
b:
  %r1 = mul i32 %x, %x
  ret i32 %r1
c:
  %r2 = udiv i32 %x, 7
  ret i32 %r2
d:
  %r3 = xor i32 %x, 1234
  ret i32 %r3
e:
  %r4 = sub i32 0, %x
  ret i32 %r4
other:
  ret i32 99
}

%struct = type { i32, [6 x i32] }

define ptx_kernel void @branches(ptr byval(%struct) align 4 %s, ptr addrspace(1) %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %stack = alloca [8 x i32]
  %field = getelementptr %struct, ptr %s, i32 0, i32 1, i32 2
  %bound = load i32, ptr %field
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %r = call i32 @helper(i32 %x, i32 %i)
  %k = and i32 %i, 3
  %c = getelementptr [4 x i32], ptr addrspace(4) @table, i32 0, i32 %k
  %m = load i32, ptr addrspace(4) %c
  %p = mul i32 %r, %m
  %slot = getelementptr [8 x i32], ptr %stack, i32 0, i32 %i
  store i32 %p, ptr %slot
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %bound
  br i1 %more, label %loop, label %done
done:
  %which = urem i32 %x, %bound
  %pick = getelementptr [8 x i32], ptr %stack, i32 0, i32 %which
  %v = load i32, ptr %pick
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %v, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @pairs(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr <2 x bfloat>, ptr addrspace(1) %x, i32 %i
  %v = load <2 x bfloat>, ptr addrspace(1) %from
  %w = fmul contract <2 x bfloat> %v, %v
  %s = fadd contract <2 x bfloat> %w, splat (bfloat 1.0)
  %low = extractelement <2 x bfloat> %s, i32 0
  %f = fpext bfloat %low to float
  %m = call float @llvm.maxnum.f32(float %f, float 2.0)
  %h = fptrunc float %m to half
  %half = insertelement <2 x half> undef, half %h, i32 1
  %to = getelementptr <2 x half>, ptr addrspace(1) %y, i32 %i
  store <2 x half> %half, ptr addrspace(1) %to
  ret void
}
