; zig
