-- Prices of catalogues: "16.59-25.13万", "暂无报价", minprice and maxprice in yuan or in 万, 0 for
-- unknown.
local names = require("names")

local price = {}

local published = names.list("price guideprice officialprice pricerange guidepricerange "
  .. "referprice referpricerange seriesprice specprice carprice fctprice msrp baseprice")
local dealer = names.list("dealerprice saleprice saleprices localprice minsaleprice")
local lower_ends = names.list("minprice lowprice pricemin pricelow minguideprice minreferprice "
  .. "lowestprice startprice")
local upper_ends = names.list("maxprice highprice pricemax pricehigh maxguideprice maxreferprice "
  .. "highestprice endprice")

-- No car costs 10,000 yuan or less, and none 10,000万 or more: the size tells the unit.
local least_yuan <const> = 10000

local function in_wan(amount, currency)
  return currency == "CNY" and amount < least_yuan
end

local function number(value)
  local amount = type(value) ~= "table" and tonumber(value) or nil
  -- A price that is NaN, infinite, negative or 0 is unknown.
  if not amount or amount ~= amount or amount <= 0 or amount == math.huge then return nil end
  return amount
end

-- 16.59 as "16.59" and 165900.0 as "165900".
local function digits(amount)
  local whole = math.tointeger(amount)
  return whole and tostring(whole) or (("%.4f"):format(amount):gsub("0+$", ""))
end

local function of_number(amount, currency)
  if in_wan(amount, currency) then return money.parse(digits(amount) .. "万", currency) end
  return money.parse(amount, currency)
end

local function of_range(low, high, currency)
  low, high = low or high, high or low
  if not low then return nil end
  if low > high then low, high = high, low end
  if low == high then return of_number(low, currency) end
  local unit = in_wan(high, currency) and "万" or ""
  return money.parse(digits(low) .. "-" .. digits(high) .. unit, currency)
end

local function of_text(value, currency)
  value = text.plain(value)
  local amount = number(value)
  if amount then return of_number(amount, currency) end
  -- "0", "0.00", "0-0", "0万", "-" and "—" say that it is unknown.
  local said = value:gsub("[0%.,%s%-~/]", ""):gsub("—", ""):gsub("万", ""):gsub("元", "")
  if said == "" then return nil end
  -- A range without a unit, by the size of its lower end.
  local low = value:match("^([%d.]+)%s*[-~]%s*[%d.]+$")
  if low and in_wan(tonumber(low) or least_yuan, currency) then value = value .. "万" end
  return money.parse(value, currency)
end

local function of_value(value, currency)
  if type(value) == "string" then return of_text(value, currency) end
  if type(value) == "number" then
    local amount = number(value)
    return amount and of_number(amount, currency)
  end
  if type(value) == "table" then
    local node = names.members(value)
    return of_range(number(node.min or node.low or names.first(node, lower_ends)),
      number(node.max or node.high or names.first(node, upper_ends)), currency)
  end
  return nil
end

---The price of a node with plain names: as published, else from its ends, else a dealer's. A price
---without an amount ("暂无报价") counts only where nothing else says one.
---@param node table
---@param feed table `options.currency` says the currency of bare numbers; CNY by default
---@return table|nil
function price.of(node, feed)
  local said = node.currency or node.pricecurrency or feed.options and feed.options.currency
  local currency = type(said) == "string" and said ~= "" and said:upper() or "CNY"
  local without_amount
  for _, candidates in ipairs({ published, lower_ends, dealer }) do
    if candidates == lower_ends then
      local found = of_range(number(names.first(node, lower_ends)),
        number(names.first(node, upper_ends)), currency)
      if found then return found end
    else
      for _, name in ipairs(candidates) do
        local found = of_value(node[name], currency)
        if found and found.low then return found end
        without_amount = without_amount or found
      end
    end
  end
  return without_amount and { text = without_amount.text }
end

return price
