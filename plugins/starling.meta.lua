---@meta

-- The Lua surface of Starling for editors. Made by the program: do not edit.
error("starling.meta.lua is for editors and cannot be required")

--- A price or a range of prices.
---@class starling.Money
---@field low? number the lower end in whole units; absent without an amount
---@field high? number the upper end, the same as low for one price
---@field currency? string ISO 4217: `CNY`
---@field text string as published

--- The parts of an address; what it does not say is absent.
---@class starling.URL
---@field scheme? string in lower case
---@field host? string in lower case
---@field port? integer if it is written
---@field path string as it stands
---@field query table the parameters by name, decoded
---@field fragment? string what follows `#`

--- A word of the rule language: a condition or an action.
---@class starling.Word

--- A feed as plugins see it.
---@class starling.Feed
---@field format string `rss`, `atom`, `rdf`, `jsonfeed` or `json`
---@field url? string where it was read from
---@field site string what the source says, else the host of its URL, else of its link, or empty
---@field title? string its title
---@field link? string its own page
---@field id? string its id
---@field language? string its language
---@field image? string the address of its image
---@field generator? string the program that made it
---@field options table the source's options
---@field loaded_at integer when it is loaded, in seconds since 1970, for "2 hours ago"
---@field body? any of JSON: a read-only view of the document

--- An entry of RSS, Atom, RDF or JSON Feed, as published.
---@class starling.Item
---@field id? string guid or id
---@field title? string HTML is possible
---@field url? string absolute where the feed's address is known
---@field summary? string HTML is possible
---@field content? string HTML is possible
---@field author? string the first one's name
---@field authors? string[] all names
---@field categories? string[] in the order of the feed
---@field published? integer seconds since 1970, UTC
---@field updated? integer seconds since 1970, UTC
---@field image? string an address
---@field comments? string the address of the comments
---@field enclosures? table[] url, type, length
---@field links? table[] href, rel, type
---@field permalink? boolean what `isPermaLink` says of an RSS guid
---@field elements? starling.Element[] all that has no other place, such as a category with a domain, or an author's email

--- An element of XML that has no field of its own.
---@class starling.Element
---@field name string with its usual prefix: `media:thumbnail`
---@field text? string its text
---@field attributes? table by name
---@field elements? starling.Element[] what is inside

--- A feed with its entries.
---@class starling.DecodedFeed
---@field format string `rss`, `atom`, `rdf`, `jsonfeed` or `json`
---@field url? string as the options say
---@field site string the host of its URL, else of its link, or empty
---@field title? string its title
---@field link? string its own page
---@field id? string its id
---@field language? string its language
---@field image? string the address of its image
---@field generator? string the program that made it
---@field options table empty
---@field entries starling.Item[] empty for plain JSON
---@field body? any of JSON: the document as tables
---@field cut? boolean whether the document ends before its end
---@field damage? string[] what else was wrong with the document

--- What makes a request conditional: what the last response gave.
---@class starling.RequestOptions
---@field etag? string as the server wrote it
---@field last_modified? string as the server wrote it

--- What a server said of the document that it sent.
---@class starling.Response
---@field status integer 200, or 304 when it has not changed
---@field url string after redirects
---@field content_type? string as the server wrote it
---@field etag? string as the server wrote it
---@field last_modified? string as the server wrote it

--- What a program is given.
---@class starling.ProcessOptions
---@field input? string its standard input; empty when left out

--- What became of a program.
---@class starling.Process
---@field status integer 0 to 255; 128 and more when a signal ended it
---@field output string what it wrote to standard output
---@field errors string what it wrote to standard error

--- What is known of a document beside its bytes.
---@class starling.DecodeOptions
---@field url? string the base of relative addresses
---@field content_type? string as a server sent it
---@field charset? string whatever the document says

--- What to fetch.
---@class starling.Query
---@field where? table conditions in the words of the rules, by field
---@field order? string a field, `starred_at` or `first_seen`; `-` before it descends
---@field limit? integer at most so many
---@field after? string the cursor that an earlier fetch gave
---@field tag? string only favorites with this tag
---@field text? string only what has each of these words in its texts; the best first, but where rows are streamed
---@field causes? boolean whether rows have their causes; they cost a look each

--- What to attach to a favorite.
---@class starling.InsertOptions
---@field tags? string|string[] added to those that it has; at most 100, of 256 bytes each
---@field note? string in place of the one that it has; at most 64 KB

--- How to take a favorite away.
---@class starling.DeleteOptions
---@field refuse? boolean whether it may not come back unless you star it

--- Which changes to list.
---@class starling.HistoryOptions
---@field kind? string of this kind
---@field key? any with kind: of this one
---@field run? integer of this run
---@field before? integer only older than this change's id
---@field limit? integer at most so many, 50 when left out

--- What to take back: one of these.
---@class starling.Undo
---@field id? integer one change
---@field run? integer a run
---@field rule? string all that a rule did

--- What Lua may use.
---@class starling.Limits
---@field time? string of one call: `5s`
---@field memory? string of one state: `64MB`

--- An entity; its kind's fields beside these.
---@class starling.Entity
---@field kind string its kind
---@field key string its key
---@field starred_at? integer of a favorite: since when, seconds since 1970
---@field tags? string[] of a favorite: sorted
---@field note? string of a favorite, if it has one
---@field causes? starling.Cause[] of a favorite, where asked for
---@field first_seen? integer from entities: seconds since 1970
---@field last_seen? integer from entities: to within a day
---@field source? string from entities: the feed that had it first

--- Why something is a favorite.
---@class starling.Cause
---@field by string `hand`, `rule`, `script` or `import`
---@field rule? string its name
---@field version? string of the rule's text
---@field script? string its name
---@field file? string that was imported
---@field line? integer in that file
---@field at integer seconds since 1970
---@field evidence? starling.Evidence[] what the rule saw

--- What a rule saw in one field.
---@class starling.Evidence
---@field field string its name
---@field value string as people read it
---@field condition string as the rule says it

--- A change of the history; who made it is said as in a cause.
---@class starling.Change
---@field id integer grows with each change
---@field at integer seconds since 1970
---@field action string `star`, `unstar`, `cause`, `tag`, `refuse`, ...
---@field kind string of what
---@field key string of what
---@field by string `hand`, `rule`, `script` or `import`
---@field run? integer the run that it belongs to
---@field undone boolean whether it was taken back
---@field tags? string[] that came or went
---@field reason? string from undo: why it was left

--- A kind, as plugins declare it.
---@class starling.Kind
---@field name string its name
---@field key string|string[] fields, or `auto`
---@field fields starling.Field[] in the order of declaration
---@field indexes string[] fields that have one

--- A field of a kind.
---@class starling.Field
---@field name string its name
---@field type string text, integer, real, boolean, url, time, money or list

--- The keys of a kind's favorites in memory: `members[key]`, `#members`.
---@class starling.Members
---@field refresh function `members:refresh()` looks again

--- What the file of a plugin returns.
---@class starling.Plugin
---@field kinds table names of shared kinds, and declarations by name
---@field accepts? function function(feed): whether the feed is for this plugin
---@field items? function function(feed): a view or a list; the entries if left out
---@field map function function(item, feed): an entity, a list, or nil and why

---@class starling.kind.car_series: starling.Entity
---@field site? string
---@field id? string
---@field name? string
---@field brand? string
---@field maker? string
---@field price? starling.Money
---@field photo? string
---@field url? string

---@class starling.kind.car_type: starling.Entity
---@field site? string
---@field uid? string
---@field name? string
---@field series? string
---@field energy? string
---@field price? starling.Money
---@field photo? string
---@field url? string

---@class starling.kind.post: starling.Entity
---@field site? string
---@field id? string
---@field title? string
---@field url? string
---@field author? string
---@field forum? string
---@field summary? string
---@field replies? integer
---@field likes? integer
---@field views? integer
---@field published? integer seconds since 1970, UTC
---@field updated? integer seconds since 1970, UTC

---@class starling.kind.forum: starling.Entity
---@field site? string
---@field id? string
---@field title? string
---@field url? string
---@field description? string
---@field topics? integer

---@class starling.kind.news: starling.Entity
---@field link? string
---@field title? string
---@field summary? string
---@field author? string
---@field image? string
---@field categories? string[]
---@field published? integer seconds since 1970, UTC

--- Holds when the field is absent.
--- In: rules, scripts.
---@type starling.Word
missing = nil

--- An action: makes what the rule matches a favorite.
--- In: rules.
---@type starling.Word
star = nil

--- An action: not this one; no later rule sees the entity.
--- In: rules.
---@type starling.Word
skip = nil

--- An action: no later rule sees the entity; what was given stays.
--- In: rules.
---@type starling.Word
stop = nil

--- Equal to one of these; text without regard to case.
--- In: rules, scripts.
---@param ... any what it may be
---@return starling.Word # for a rule or a `where`
function is(...) end

--- The text has one of these in it.
--- In: rules, scripts.
---@param ... string|string[] what to look for
---@return starling.Word # for a rule or a `where`
function has(...) end

--- The text has one of these as whole words.
--- In: rules, scripts.
---@param ... string|string[] the words
---@return starling.Word # for a rule or a `where`
function word(...) end

--- One of these is found in the text, without regard to case.
--- In: rules, scripts.
---@param ... string|string[] regular expressions (PCRE2)
---@return starling.Word # for a rule or a `where`
function matches(...) end

--- Not less than this number, price or time.
--- In: rules, scripts.
---@param value any the least
---@return starling.Word # for a rule or a `where`
function at_least(value) end

--- Not more than this number, price or time.
--- In: rules, scripts.
---@param value any the most
---@return starling.Word # for a rule or a `where`
function at_most(value) end

--- More than this number, price or time.
--- In: rules, scripts.
---@param value any the bound
---@return starling.Word # for a rule or a `where`
function above(value) end

--- Less than this number, price or time.
--- In: rules, scripts.
---@param value any the bound
---@return starling.Word # for a rule or a `where`
function below(value) end

--- From the first to the second, both in.
--- In: rules, scripts.
---@param ... any the lower and the upper end
---@return starling.Word # for a rule or a `where`
function between(...) end

--- At this time or later.
--- In: rules, scripts.
---@param value any "7d" ago, or a time
---@return starling.Word # for a rule or a `where`
function since(value) end

--- Earlier than this time.
--- In: rules, scripts.
---@param value any "7d" ago, or a time
---@return starling.Word # for a rule or a `where`
function before(value) end

--- Holds when the condition does not.
--- In: rules, scripts.
---@param value any a condition
---@return starling.Word # for a rule or a `where`
function not_(value) end

--- Holds when one of the conditions does.
--- In: rules, scripts.
---@param ... any conditions
---@return starling.Word # for a rule or a `where`
function any(...) end

--- Holds when all of the conditions do.
--- In: rules, scripts.
---@param ... any conditions
---@return starling.Word # for a rule or a `where`
function all(...) end

--- An action: tags what the rule matches.
--- In: rules.
---@param ... string|string[] one tag or several
---@return starling.Word # for a rule or a `where`
function tag(...) end

--- Does not exist yet.
--- In: rules.
---@param ... any not read
function notify(...) end

--- Does not exist yet.
--- In: rules.
---@param ... any not read
function cap(...) end

--- Does not exist yet.
--- In: rules.
---@param ... any not read
function expire(...) end

--- Defines a rule: names are conditions, bare words are actions.
--- In: rules.
---@param name string what history and `why` call it
---@return function # takes the rule's table
function rule(name) end

--- Names a feed to load.
--- In: rules.
---@param name string what commands call it
---@return function # takes the table
function source(name) end

--- Names a query.
--- In: rules.
---@param name string what commands call it
---@return function # takes the table
function search(name) end

--- Names an OPML file with feeds to load.
--- In: rules.
---@param file string relative to the folder of init.lua
function sources(file) end

--- Says how much time and memory Lua may use.
--- In: rules.
---@param limits starling.Limits time = "5s", memory = "64MB"
function limits(limits) end

--- Writes values to standard output, with tabs between them and an end of line.
--- In: scripts.
---@param ... any shown as tostring shows them
function print(...) end

--- Tells what a function, a kind or a word is for; without a value, how to begin.
--- In: the console.
---@param what? any a function, a word, a table of functions, or a name as text
function help(what) end

---@class textlib
text = {}

--- Text as a person would read it: no markup, entities decoded, white space folded.
--- In: plugins, rules, scripts.
---@param html? string HTML, or text with entities; nil gives nil
---@return string? # the text
function text.plain(html) end

--- Takes white space off both ends, the ideographic space too.
--- In: plugins, rules, scripts.
---@param text? string any text; nil gives nil
---@return string? # the text without its ends
function text.trim(text) end

---@class urllib
url = {}

--- The absolute address that one in a page means, or nil when there is no telling.
--- In: plugins, rules, scripts.
---@param base? string an absolute address
---@param relative? string an address as it stands in a page: `/t/5`, `//host/p.jpg`
---@return string? # the absolute address, or nil
function url.join(base, relative) end

--- The form in which two addresses of one page are equal: no fragment, no utm_*.
--- In: plugins, rules, scripts.
---@param address? string an address; nil gives nil
---@return string? # nil unless it is absolute
function url.canonical(address) end

--- The host of an address, in lower case, without port.
--- In: plugins, rules, scripts.
---@param address? string an address; nil gives nil
---@return string? # in lower case, or nil
function url.host(address) end

--- Takes an address apart: scheme, host, port, path, query (a table), fragment.
--- In: plugins, rules, scripts.
---@param address? string an address; nil gives nil
---@return starling.URL? # its parts
function url.parse(address) end

---@class moneylib
money = {}

--- Reads a price; nil for what says nothing (nil, 0, blank).
--- In: plugins, rules, scripts.
---@param price? number|string `16.59-25.13万`, `¥199,900`, 25000, ...
---@param currency? string ISO 4217, for a price that names none: `CNY`
---@return starling.Money? # nil when unknown
function money.parse(price, currency) end

---@class timelib
time = {}

--- Reads a time as publishers write it; nil when there is none in it. 12/04/2026 is the 12th of April.
--- In: plugins, rules, scripts.
---@param time? number|string RFC 822, RFC 3339, epoch s, ms or µs, ...
---@return integer? # seconds since 1970, UTC
function time.parse(time) end

--- Writes a time in UTC: `2026-11-30T08:05:00Z`, or as the format says.
--- In: plugins, rules, scripts.
---@param time number seconds since 1970, UTC
---@param format? string as of os.date: `%Y-%m-%d`; RFC 3339 when left out
---@return string # the time as text, in UTC
function time.format(time, format) end

---@class jsonlib
json = {}

--- JSON's null, which nil cannot be: a table has no nil.
--- In: plugins, rules, scripts.
---@type any
json.null = nil

--- Reads JSON; an error says what is wrong and at which byte.
--- In: plugins, rules, scripts.
---@param text string one JSON text in UTF-8
---@return any # null is json.null; big integers are text
function json.decode(text) end

--- Writes JSON; refuses cycles, NaN, infinities and text that is not UTF-8.
--- In: plugins, rules, scripts.
---@param value any anything but functions; [] stays a list, {} an object
---@return string # JSON in UTF-8, members sorted by name
function json.encode(value) end

---@class loglib
log = {}

--- Logs a detail that only the author wants.
--- In: plugins, rules, scripts.
---@param ... any shown as tostring shows them, with a space
function log.debug(...) end

--- Logs what is worth knowing.
--- In: plugins, rules, scripts.
---@param ... any shown as tostring shows them, with a space
function log.info(...) end

--- Logs what is wrong but does not stop the work.
--- In: plugins, rules, scripts.
---@param ... any shown as tostring shows them, with a space
function log.warn(...) end

--- Logs what went wrong.
--- In: plugins, rules, scripts.
---@param ... any shown as tostring shows them, with a space
function log.error(...) end

---@class favoriteslib
favorites = {}

--- Is it a favorite? Ask by kind and key, by an entity, or by { url = ... }.
--- In: scripts.
---@param kind string|table a kind, or an entity that says its own
---@param key? any a key (text or a whole number), or an entity of that kind
---@return boolean # whether it is a favorite
function favorites.contains(kind, key) end

--- Which of these keys are favorites, in one look.
--- In: scripts.
---@param kind string a kind
---@param keys string[] a page of keys
---@return table # { [key] = true } for those that are favorites
function favorites.containing(kind, keys) end

--- A snapshot of all keys in memory, for a million questions; members:refresh().
--- In: scripts.
---@param kind string a kind
---@return starling.Members # members[key]; #members
function favorites.members(kind) end

--- Whether the user refused it.
--- In: scripts.
---@param kind string|table a kind, or an entity that says its own
---@param key? any a key (text or a whole number), or an entity of that kind
---@return boolean # whether the user said no to it
function favorites.refused(kind, key) end

--- Why it is a favorite: its causes, in the order in which they came.
--- In: scripts.
---@param kind string|table a kind, or an entity that says its own
---@param key? any a key (text or a whole number), or an entity of that kind
---@return starling.Cause[] # empty when it is none
function favorites.why(kind, key) end

--- The changes of favorites and refusals, newest first; 50 unless a limit is given.
--- In: scripts.
---@param options? starling.HistoryOptions kind, key, run, before, limit
---@return starling.Change[] # newest first
function favorites.history(options) end

--- The favorite with this key, with tags, note, causes and starred_at; or nil.
--- In: scripts.
---@param kind string|table a kind, or an entity that says its own
---@param key? any a key (text or a whole number), or an entity of that kind
---@return starling.Entity? # or nil
function favorites.get(kind, key) end

--- The favorites that match, as a list.
--- In: scripts.
---@param kind string a kind
---@param options? starling.Query where, order, limit, after, tag, text, causes
---@return starling.Entity[] # the rows
---@return string? # `after` for the next page, if any
function favorites.fetch(kind, options) end

--- Goes through the favorites that match: memory does not grow; it is no snapshot.
--- In: scripts.
---@param kind string a kind
---@param options? starling.Query where, order, limit, after, tag, text, causes
---@return function # an iterator
function favorites.each(kind, options) end

--- How many favorites match.
--- In: scripts.
---@param kind string a kind
---@param options? starling.Query where, order, limit, after, tag, text, causes
---@return integer # how many; limit and after do not count
function favorites.count(kind, options) end

--- The kinds that there are, with their fields.
--- In: scripts.
---@return starling.Kind[] # name, key, fields, indexes
function favorites.kinds() end

--- Makes an entity a favorite.
--- In: scripts.
---@param kind string|table a kind, or an entity that says its own
---@param entity? any an entity, or the key of one that was seen
---@param options? starling.InsertOptions tags, note
---@return boolean # true; false when it was a favorite already
---@return string? # "refused" when the user said no to it
function favorites.insert(kind, entity, options) end

--- Takes a favorite away, with all its causes.
--- In: scripts.
---@param kind string|table a kind, or an entity that says its own
---@param key? any a key (text or a whole number), or an entity of that kind
---@param options? starling.DeleteOptions refuse: also say no to it
---@return boolean # whether it was a favorite
function favorites.delete(kind, key, options) end

--- Makes it a favorite, or takes it away when it is one.
--- In: scripts.
---@param kind string|table a kind, or an entity that says its own
---@param entity? any an entity, or the key of one that was seen
---@return boolean # whether it is a favorite now
function favorites.toggle(kind, entity) end

--- Adds tags to a favorite.
--- In: scripts.
---@param kind string|table a kind, or an entity that says its own
---@param key? any a key (text or a whole number), or an entity of that kind
---@param ... any texts of at most 256 bytes, at most 100
---@return boolean # false when it is no favorite
function favorites.tag(kind, key, ...) end

--- Takes tags off a favorite.
--- In: scripts.
---@param kind string|table a kind, or an entity that says its own
---@param key? any a key (text or a whole number), or an entity of that kind
---@param ... any texts of at most 256 bytes, at most 100
---@return boolean # false when it is no favorite
function favorites.untag(kind, key, ...) end

--- Sets the note of a favorite.
--- In: scripts.
---@param kind string|table a kind, or an entity that says its own
---@param key? any a key (text or a whole number), or an entity of that kind
---@param text? string the note, at most 64 KB; nil takes it away
---@return boolean # false when it is no favorite
function favorites.note(kind, key, text) end

--- Lifts a refusal; it does not become a favorite by that.
--- In: scripts.
---@param kind string|table a kind, or an entity that says its own
---@param key? any a key (text or a whole number), or an entity of that kind
---@return boolean # whether it was refused
function favorites.allow(kind, key) end

--- Takes back one change, one run, or all that one rule did.
--- In: scripts.
---@param what? starling.Undo id, run or rule; the last run when left out
---@return starling.Change[] # what was taken back
---@return starling.Change[] # what was left, with reasons
function favorites.undo(what) end

--- Has a function called after each change, own or another process's.
--- In: scripts.
---@param event string insert, delete, tag, untag, note, refuse, allow or change
---@param listener function called with the change, after its commit, once
---@return function # call it to end that
function favorites.on(event, listener) end

--- All or nothing: an error takes back what the function changed. It nests, at most 100 deep, and cannot yield.
--- In: scripts.
---@param work function its results are those of the transaction
---@param ... any given to it
---@return any? # what the function returned
function favorites.transaction(work, ...) end

---@class entitieslib
entities = {}

--- The entity, starred or not, with this key, with tags, note, causes and starred_at; or nil.
--- In: scripts.
---@param kind string|table a kind, or an entity that says its own
---@param key? any a key (text or a whole number), or an entity of that kind
---@return starling.Entity? # or nil
function entities.get(kind, key) end

--- The entities, starred or not, that match, as a list.
--- In: scripts.
---@param kind string a kind
---@param options? starling.Query where, order, limit, after, tag, text, causes
---@return starling.Entity[] # the rows
---@return string? # `after` for the next page, if any
function entities.fetch(kind, options) end

--- Goes through the entities, starred or not, that match: memory does not grow; it is no snapshot.
--- In: scripts.
---@param kind string a kind
---@param options? starling.Query where, order, limit, after, tag, text, causes
---@return function # an iterator
function entities.each(kind, options) end

--- How many entities, starred or not, match.
--- In: scripts.
---@param kind string a kind
---@param options? starling.Query where, order, limit, after, tag, text, causes
---@return integer # how many; limit and after do not count
function entities.count(kind, options) end

---@class feedslib
feeds = {}

--- Decodes a feed: what plugins get, with all entries as a list.
--- In: scripts.
---@param document string the bytes of an RSS, Atom, RDF, JSON Feed or JSON document
---@param options? starling.DecodeOptions url, content_type, charset
---@return starling.DecodedFeed # with entries, or the body of JSON
function feeds.decode(document, options) end

---@class iolib
io = {}

--- Writes strings and numbers to standard output; `io.stderr:write` to standard error.
--- In: scripts.
---@param ... any strings and numbers
---@return any # io.stdout
function io.write(...) end

--- Passes on what was written; `io.stderr` keeps nothing back.
--- In: scripts.
---@return any # io.stdout
function io.flush() end

--- Reads standard input: `l` a line, `L` with its end, `n` a number, `a` all, or bytes.
--- In: scripts.
---@param ... any a line when left out
---@return any # one for each format; nil at the end of the input
function io.read(...) end

--- Goes through standard input: `for line in io.lines() do`.
--- In: scripts.
---@param ... any a line when left out
---@return function # an iterator
function io.lines(...) end

---@class oslib
os = {}

--- The present time, or that of a date in parts, which are put in order.
--- In: scripts.
---@param parts? table year, month, day, and hour, min, sec in local time
---@return integer # seconds since 1970, UTC
function os.time(parts) end

--- Writes a time in the local zone, or in UTC: `os.date("!%Y-%m-%d")`.
--- In: scripts.
---@param format? string as of strftime; `!` before it for UTC; `*t` for a table
---@param time? number seconds since 1970; now when left out
---@return string|table # `%c` when no format is given
function os.date(format, time) end

--- The processor time that the program has used.
--- In: scripts.
---@return number # seconds
function os.clock() end

--- The seconds from one time to another.
--- In: scripts.
---@param later number seconds
---@param earlier number seconds
---@return number # seconds
function os.difftime(later, earlier) end

--- Ends the script, with status 0 or the one given; nothing after it runs. A listener cannot.
--- In: scripts.
---@param status? integer|boolean 0 to 255; true is 0, false 1
function os.exit(status) end

--- The same as env.get, under the name that Lua has for it.
--- In: scripts.
--- Needs --allow-env.
---@param name string a variable's name
---@return string? # its value
function os.getenv(name) end

---@class fslib
fs = {}

--- Reads a whole file.
--- In: scripts.
--- Needs --allow-read.
---@param path string a file
---@return string # its bytes
function fs.read(path) end

--- Reads a file as one JSON value, also one that is longer than a string may be.
--- In: scripts.
--- Needs --allow-read.
---@param path string a file
---@return any # as json.decode gives it
function fs.json(path) end

--- Writes a whole file, at once: nobody sees half of it.
--- In: scripts.
--- Needs --allow-write.
---@param path string a file
---@param text string all that it shall hold
function fs.write(path, text) end

--- Lists a folder, without the names that begin with a dot.
--- In: scripts.
--- Needs --allow-read.
---@param path string a folder
---@return string[] # the names in it, sorted
function fs.list(path) end

---@class envlib
env = {}

--- Reads an environment variable.
--- In: scripts.
--- Needs --allow-env.
---@param name string a variable's name
---@return string? # its value
function env.get(name) end

---@class httplib
http = {}

--- Gets a document.
--- In: scripts.
--- Needs --allow-net.
---@param url string an http or https address
---@param options? starling.RequestOptions etag, last_modified
---@return string? # the body; nil when it failed
---@return starling.Response|string # the response, or why it failed
function http.get(url, options) end

---@class processlib
process = {}

--- Runs a program to its end.
--- In: scripts.
--- Needs --allow-run.
---@param program string as it was granted: a name that PATH finds, or a path
---@param arguments? string[] as they are; no shell reads them
---@param options? starling.ProcessOptions input
---@return starling.Process # status, output, errors
function process.run(program, arguments, options) end
