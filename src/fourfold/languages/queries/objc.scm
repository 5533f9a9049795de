; objc
