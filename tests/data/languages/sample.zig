const std = @import("std");
const Basket = @import("basket.zig").Basket;

pub const limit: u32 = 10;
var counter: usize = 0;

/// One invoice.
pub const Invoice = struct {
    basket: Basket,
    state: State = .open,

    pub const Error = error{ NotFound, Late };

    /// Makes one.
    pub fn init(basket: Basket) Invoice {
        return Invoice{ .basket = basket };
    }

    pub fn pay(self: *Invoice, basket: *Basket) !void {
        const line = Line.init("a", limit);
        try basket.add(line);
        self.state = .paid;
        helper(line);
    }
};

pub const State = enum { open, paid };
const Value = union(enum) { int: i64, text: []const u8 };

fn helper(line: Line) void {
    _ = line;
    std.debug.print("x", .{});
}

pub fn List(comptime T: type) type {
    return struct { items: []T };
}

test "paying works" {
    try std.testing.expect(true);
}

pub fn main() !void {
    var invoice = Invoice.init(undefined);
    try invoice.pay(&invoice.basket);
}

test helper {}
