<?php

declare(strict_types=1);

namespace Shop\Billing;

use Shop\Models\Basket;
use Shop\Models\{Line as Row, Item};
use function Shop\Util\round_up;

require_once __DIR__ . '/helpers.php';

const LIMIT = 10;
define('MODE', 'fast');

/**
 * Something that can be paid.
 */
interface Payable extends \Countable
{
    public function pay(Basket $basket): void;
}

enum State: string
{
    case Open = 'open';
    case Paid = 'paid';
}

trait Logs
{
    protected function log(string $text): void
    {
        error_log($text);
    }
}

/** One invoice. */
#[Entity]
abstract class Invoice extends Document implements Payable, \JsonSerializable
{
    use Logs;

    public const MAX = 3;
    private ?Basket $basket = null;
    protected static int $count = 0;

    public function __construct(private Basket $first, Row $row)
    {
        parent::__construct($first);
        $this->basket = $first;
    }

    // Pays it.
    public function pay(Basket $basket): void
    {
        $item = new Item('a', self::MAX);
        $basket->add($item);
        $this->log(State::Open->value);
        $rounded = round_up(LIMIT);
        Registry::store($this);
        array_map(fn ($x) => helper($x), [$rounded]);
    }

    public static function load(int $id): static
    {
        return new static(new Basket(), $id);
    }
}

function helper(int $value): int
{
    return $value + LIMIT;
}
namespace Shop\Tools {
    function shout(string $text): string { return strtoupper($text); }
}

namespace Shop\Other {
    function quiet(?Basket $b) { Registry::$count = 1; return $b?->total(); }
}
