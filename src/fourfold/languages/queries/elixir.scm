; elixir
