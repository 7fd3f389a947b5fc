/* Writes a feed of N items to standard output: `feed rss N` (about 1.1 KB an item), `feed podcast N`
   (about 4 KB), `feed json N` (about 1.6 KB), or `feed numbers N`, a JSON list of single digits, the
   densest JSON that there is. The same N always gives the same bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

/* xorshift64*: good enough to pick words, and the same everywhere. */
static uint32_t pick(uint32_t below) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (uint32_t)((state * 2685821657736338717ULL) >> 33) % below;
}

static const char *const words[] = {
  "market", "battery", "engine", "release", "library", "minister", "harbor", "review", "update",
  "river", "camera", "update", "signal", "orbit", "garden", "kernel", "window", "policy", "budget",
  "school", "travel", "museum", "record", "winter", "energy", "bridge", "lawyer", "coffee", "planet",
  "driver", "server", "editor", "parser", "index", "vector", "thread", "memory", "socket", "branch",
  "compiler", "电池", "续航", "新能源", "汽车", "发布", "价格", "评测", "更新", "社区", "论坛"};
#define WORDS (sizeof words / sizeof *words)

static const char *const names[] = {"Ada Byron", "Li Wei", "Jean Dupont", "Maria Rossi", "Kofi Mensah",
                                    "Yuki Tanaka", "Olga Orlova", "Sam Lee"};
static const char *const topics[] = {"World", "Technology", "Science", "Cars", "Business", "Health",
                                     "Culture", "Sport", "Linux", "Databases"};
static const char *const rare[] = {"Swift", "Lua", "SQLite", "sponsored"};

static void sentence(int count) {
  for (int i = 0; i < count; i++) {
    if (i) putchar(' ');
    fputs(words[pick(WORDS)], stdout);
  }
}

static void title(void) {
  if (pick(50) == 0) printf("%s ", rare[pick(4)]);
  sentence(5 + (int)pick(4));
}

/* A day and a time that go back from the newest item to the oldest, one minute an item. */
static void stamp(long item, long *year, long *month, long *day, long *hour, long *minute) {
  long minutes = 400L * 24 * 60 * 2 - item % (400L * 24 * 60 * 2);
  *minute = minutes % 60;
  *hour = minutes / 60 % 24;
  long days = minutes / (60 * 24);
  *day = days % 28 + 1;
  *month = days / 28 % 12 + 1;
  *year = 2024 + days / (28 * 12);
}

static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

static void rss(long count) {
  puts("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" "
       "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:media=\"http://search.yahoo.com/mrss/\">\n"
       "<channel>\n<title>The measured times</title>\n<link>https://news.example.org/</link>\n"
       "<description>All the news that fits a benchmark</description>");
  for (long i = 0; i < count; i++) {
    long year, month, day, hour, minute;
    stamp(i, &year, &month, &day, &hour, &minute);
    fputs("<item>\n<title>", stdout);
    title();
    printf("</title>\n<link>https://news.example.org/%ld/%02ld/story-%ld?utm_source=feed</link>\n", year,
           month, 1000000 + i);
    printf("<guid isPermaLink=\"false\">news.example.org:%ld</guid>\n", 1000000 + i);
    printf("<pubDate>%02ld %s %ld %02ld:%02ld:00 GMT</pubDate>\n", day, months[month - 1], year, hour,
           minute);
    printf("<dc:creator>%s</dc:creator>\n", names[pick(8)]);
    printf("<category>%s</category>\n<category>%s</category>\n", topics[pick(10)], topics[pick(10)]);
    printf("<media:thumbnail url=\"https://img.example.org/%ld.jpg\" width=\"240\" height=\"135\"/>\n", i);
    fputs("<description>&lt;p&gt;", stdout);
    sentence(40);
    fputs(" &amp;amp; ", stdout);
    sentence(34);
    fputs("&lt;/p&gt;&lt;p&gt;", stdout);
    sentence(10);
    puts("&lt;/p&gt;</description>\n</item>");
  }
  puts("</channel>\n</rss>");
}

/* Episodes with the elements that podcasts have, and their notes twice: as text and as HTML. */
static void podcast(long count) {
  puts("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" "
       "xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\" "
       "xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" "
       "xmlns:podcast=\"https://podcastindex.org/namespace/1.0\" "
       "xmlns:atom=\"http://www.w3.org/2005/Atom\">\n<channel>\n<title>The measured hour</title>\n"
       "<link>https://hour.example.org/</link>\n<language>en</language>\n"
       "<itunes:image href=\"https://hour.example.org/cover.jpg\"/>");
  for (long i = 0; i < count; i++) {
    long year, month, day, hour, minute;
    stamp(i, &year, &month, &day, &hour, &minute);
    fputs("<item>\n<title>", stdout);
    title();
    printf("</title>\n<itunes:title>%ld</itunes:title>\n<itunes:episode>%ld</itunes:episode>\n", i, i);
    printf("<link>https://hour.example.org/%ld</link>\n<guid isPermaLink=\"false\">hour-%ld</guid>\n", i,
           i);
    printf("<pubDate>%02ld %s %ld %02ld:%02ld:00 GMT</pubDate>\n", day, months[month - 1], year, hour,
           minute);
    printf("<enclosure url=\"https://cdn.example.org/%ld.mp3?a=1&amp;b=2\" type=\"audio/mpeg\" "
           "length=\"%u\"/>\n", i, 1000000 + pick(90000000));
    printf("<itunes:author>%s</itunes:author>\n<itunes:duration>%u:%02u</itunes:duration>\n",
           names[pick(8)], pick(120), pick(60));
    printf("<itunes:image href=\"https://hour.example.org/%ld.jpg\"/>\n<itunes:explicit>false"
           "</itunes:explicit>\n<podcast:transcript url=\"https://hour.example.org/%ld.srt\" "
           "type=\"application/srt\"/>\n<description>", i, i);
    sentence(120);
    fputs("</description>\n<content:encoded><![CDATA[<p>", stdout);
    for (int part = 0; part < 8; part++) {
      sentence(35);
      printf("</p>\n<p><a href=\"https://e.example.org/%u\">%u:%02u</a> ", pick(10000), pick(60), pick(60));
    }
    puts("</p>]]></content:encoded>\n</item>");
  }
  puts("</channel>\n</rss>");
}

static void numbers(long count) {
  putchar('[');
  for (long i = 0; i < count; i++) printf(i ? ",%u" : "%u", pick(10));
  putchar(']');
}

static void json(long count) {
  puts("{\"version\":1,\"topics\":[");
  for (long i = 0; i < count; i++) {
    printf("%s{\"id\":%" PRIu64 ",\"number\":%ld,\"title\":\"", i ? ",\n" : "",
           UINT64_C(9007199254740993) + (uint64_t)i, i);
    title();
    printf("\",\"score\":%u.%u,\"likes\":%u,\"views\":%u,\"pinned\":%s,\"closed\":null,", pick(100),
           pick(10), pick(500), pick(100000), pick(40) ? "false" : "true");
    printf("\"author\":{\"name\":\"%s\",\"id\":%u},\"tags\":[\"%s\",\"%s\"],\"excerpt\":\"",
           names[pick(8)], pick(5000), topics[pick(10)], topics[pick(10)]);
    sentence(140);
    fputs("\\n\\u4e2d\\u6587 \\\"", stdout);
    sentence(30);
    fputs("\\\"\"}", stdout);
  }
  puts("]}");
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fputs("usage: feed rss|podcast|json|numbers COUNT\n", stderr);
    return 2;
  }
  state = 88172645463325252ULL;
  long count = strtol(argv[2], NULL, 10);
  if (strcmp(argv[1], "json") == 0)
    json(count);
  else if (strcmp(argv[1], "numbers") == 0)
    numbers(count);
  else if (strcmp(argv[1], "podcast") == 0)
    podcast(count);
  else
    rss(count);
  return 0;
}
