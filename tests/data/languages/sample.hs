{-# LANGUAGE OverloadedStrings #-}
module Shop.Invoice
  ( Invoice (..)
  , pay
  ) where

import qualified Data.Map as Map
import Data.List (sortBy, foldl')
import Shop.Models

-- | One invoice.
data Invoice = Invoice
  { basket :: Basket
  , state :: State
  } deriving (Show, Eq)

data State = Open | Paid Int

newtype Price = Price { unPrice :: Int }

type Handler = Invoice -> IO ()

-- | Something that can be paid.
class Show a => Payable a where
  total :: a -> Int
  total _ = 0

instance Payable Invoice where
  total = sumBasket . basket

limit :: Int
limit = 10

-- | Pays it.
pay :: Invoice -> Basket -> IO Invoice
pay invoice b = do
  let line = Line "a" limit
  addLine b line
  return (helper invoice { state = Paid 1 })

helper :: Invoice -> Invoice
helper i
  | total i > limit = i
  | otherwise = Map.findWithDefault i 1 table
  where
    table = Map.empty

(<+>) :: Int -> Int -> Int
a <+> b = a + b

data family Stored a
data instance Stored Int = StoredInt Int

type family Elem a

data Box a = Box { content :: a } deriving Eq

instance Payable (Box a) where
  total (Box _) = limit

start = do
  main
  pay limit

copy b = b { content = Invoice }
made = Box { content = limit }
