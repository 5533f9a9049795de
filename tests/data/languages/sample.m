#import <Foundation/Foundation.h>
#import "Basket.h"
@import UIKit;

#define LIMIT 10

@class Line;

/// Something that can be paid.
@protocol Payable <NSObject>
- (void)payBasket:(Basket *)basket;
@property (nonatomic, readonly) NSInteger total;
@end

typedef NS_ENUM(NSInteger, State) { StateOpen, StatePaid };

@interface Invoice : Document <Payable>
@property (nonatomic, strong) Basket *basket;
- (instancetype)initWithBasket:(Basket *)basket;
+ (Invoice *)load;
@end

static NSString *const kName = @"invoice";

@implementation Invoice

- (instancetype)initWithBasket:(Basket *)basket {
  self = [super init];
  Line *line = [[Line alloc] initWithName:@"a" price:LIMIT];
  [self.basket add:line];
  helper(line);
  return self;
}

+ (Invoice *)load { return [Registry find:1]; }

@end

@implementation Invoice (Extra)
- (void)extra { }
@end

static int helper(Line *line) { return LIMIT; }

typedef struct { int x; } Pair;
typedef void (^Done)(NSError *error);
int counter = 0;

NS_ASSUME_NONNULL_BEGIN
@interface Cart () {
  int _count;
  NSString *_title;
}
@property (nonatomic, copy) void (^done)(int) API_AVAILABLE(ios(9.0));
- (instancetype)initWithTitle:(NSString *)title count:(int)count NS_DESIGNATED_INITIALIZER;
@end
NS_ASSUME_NONNULL_END
