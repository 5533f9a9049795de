; protobuf
