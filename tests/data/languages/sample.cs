using System;
using System.Collections.Generic;
using static System.Math;
using Alias = Shop.Models.Basket;

namespace Shop.Billing;

/// <summary>Something that can be paid.</summary>
public interface IPayable : IDisposable
{
    decimal Total { get; }
    void Pay(Basket basket);
}

public enum State { Open, Paid = 2 }

public record Line(string Name, decimal Price);

public struct Point { public int X; }

public delegate void Paid(Invoice invoice);

/// <summary>
/// One invoice.
/// </summary>
[Serializable]
public abstract class Invoice : Document, IPayable
{
    private const int Limit = 10;
    private readonly Basket _basket = new Basket();
    public event Paid OnPaid;
    public decimal Total { get; private set; }

    public Invoice(Basket basket) : base(basket)
    {
        _basket = basket;
    }

    // Pays it.
    public virtual void Pay(Basket basket)
    {
        var line = new Line("a", 1);
        basket.Add(line);
        Helper.Round(Total, Limit);
        OnPaid?.Invoke(this);
    }

    public static async Task<Invoice> LoadAsync<T>(int id) where T : Document => await Store.Find<T>(id);

    public static bool operator ==(Invoice a, Invoice b) => a.Total == b.Total;

    private class Inner { }
}

namespace Shop.More
{
    /// <summary>One more.</summary>
    class Extra
    {
        int Twice(int n) { int Inner(int x) => x * 2; return Inner(n); }
    }
}

class Bag { public event System.Action Changed { add { } remove { } } public int this[int n] => n; }
class InvoiceTests { [Fact] public void Pays() { bag?.Run(); bag?.First().Go(); } }
