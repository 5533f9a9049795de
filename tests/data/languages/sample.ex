defmodule Shop.Invoice do
  @moduledoc """
  One invoice.
  """

  use GenServer
  import Shop.Util, only: [round_up: 1]
  alias Shop.Models.{Basket, Line}
  alias Shop.Registry, as: Reg
  require Logger

  @behaviour Shop.Payable
  @limit 10

  @type t :: %__MODULE__{basket: Basket.t()}
  @callback total(t) :: integer

  defstruct [:basket, state: :open]

  @doc "Pays it."
  @spec pay(t, Basket.t()) :: :ok
  @impl true
  def pay(%__MODULE__{} = invoice, basket) when is_map(basket) do
    line = %Line{name: "a", price: @limit}
    Basket.add(basket, line)
    basket |> Reg.store() |> helper(invoice)
    Logger.info("paid")
  end

  def pay(nil, _), do: :error

  defp helper(value, other), do: round_up(value + other)

  defmacro debug(value) do
    quote do: IO.inspect(unquote(value))
  end

  defmodule Error do
    defexception [:message]
  end
end

defprotocol Shop.Payable do
  def total(value)
end

defimpl Shop.Payable, for: Shop.Invoice do
  def total(invoice), do: Basket.sum(invoice.basket)
end

defmodule Shop.Store do
  @callback find(id :: integer) :: term when id: integer
  @callback all :: list
end
