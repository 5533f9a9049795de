; dart
