-- The script of wrk.py: POSTs the lines of the file BODIES in turn, counts answers that are none, prints JSON.
local headers = { ["content-type"] = "application/json", ["accept"] = "application/json" }
local requests, place, good, kept = {}, 0, {}, 0
local thread

function setup(made)
  thread = made
  thread:set("bad", 0)
end

function init()
  for body in io.lines(os.getenv("BODIES")) do
    requests[#requests + 1] = wrk.format("POST", nil, headers, body)
  end
end

function request()
  place = place % #requests + 1
  return requests[place]
end

-- Equal answers are one string to Lua, so that each is looked through once, as long as there are not too many.
function response(status, _, body)
  if good[body] then return end
  if status ~= 200 or body:find('"errors":', 1, true) then
    bad = bad + 1
  elseif kept < 1000 then
    good[body], kept = true, kept + 1
  end
end

function done(summary, latency)
  local errors = summary.errors
  local figures = {
    requests = summary.requests,
    seconds = summary.duration / 1e6,
    errors = thread:get("bad") + errors.connect + errors.read + errors.write + errors.timeout,
    p50 = latency:percentile(50) / 1e3,
    p95 = latency:percentile(95) / 1e3,
    p99 = latency:percentile(99) / 1e3,
  }
  local members = {}
  for name, value in pairs(figures) do
    members[#members + 1] = ('"%s": %.6f'):format(name, value)
  end
  print("{" .. table.concat(members, ", ") .. "}")
end
