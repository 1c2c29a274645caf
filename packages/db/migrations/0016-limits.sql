-- Limits on sending: rates and connections of mail classes, logins, IPs and receiving providers, warm-up, quiet hours,
-- windows, and the rules that act on replies.

-- Token buckets that all engines share (2-claim/pace.ts): of a campaign, a mail class, a login, an IP, a provider, a day
-- of a warm-up. Named, so that what is limited can be anything.
CREATE TABLE send_pace (
  bucket text PRIMARY KEY,
  tokens double precision NOT NULL,
  refilled_at timestamptz NOT NULL
);
DROP TABLE campaign_pace;

-- Rows of one receiver are found without walking over those of others that have to wait. Claims and outcomes do not
-- touch it: it costs only when a campaign is expanded.
CREATE INDEX delivery_due_provider ON delivery (client_id, campagne_id, provider_id, due_at)
  WHERE state IN ('pending', 'deferred');

-- login_*: over all mail classes of the client that use the same login; ip_*: over all of its mail classes that name the
-- same send_ip. Where those that send differ the lowest counts. provider_limits: [{provider_id, mails, unit, connections}].
-- warmup_volumes: mails a day from warmup_start on; after the last day the class is warm. What a day does not hold goes
-- over the overflow class, or waits.
ALTER TABLE mailclass
  ADD COLUMN login_mails int NOT NULL DEFAULT 0 CHECK (login_mails >= 0),
  ADD COLUMN login_unit text NOT NULL DEFAULT 'hour' CHECK (login_unit IN ('minute', 'hour', 'day')),
  ADD COLUMN login_connections int NOT NULL DEFAULT 0 CHECK (login_connections >= 0),
  ADD COLUMN send_ip text,
  ADD COLUMN ip_mails int NOT NULL DEFAULT 0 CHECK (ip_mails >= 0),
  ADD COLUMN ip_unit text NOT NULL DEFAULT 'hour' CHECK (ip_unit IN ('minute', 'hour', 'day')),
  ADD COLUMN ip_connections int NOT NULL DEFAULT 0 CHECK (ip_connections >= 0),
  ADD COLUMN provider_limits jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN warmup_start date,
  ADD COLUMN warmup_volumes int[] NOT NULL DEFAULT '{}',
  ADD COLUMN overflow_mailclass_id bigint,
  ADD FOREIGN KEY (client_id, overflow_mailclass_id) REFERENCES mailclass;

ALTER TABLE domain
  ADD COLUMN warmup_start date,
  ADD COLUMN warmup_volumes int[] NOT NULL DEFAULT '{}';

-- Hours in which no bulk mail begins, in the client's time zone; a campaign's own replace the client's.
ALTER TABLE client
  ADD COLUMN quiet_from time,
  ADD COLUMN quiet_to time,
  ADD CHECK ((quiet_from IS NULL) = (quiet_to IS NULL));

ALTER TABLE campaign
  ADD COLUMN quiet_from time,
  ADD COLUMN quiet_to time,
  ADD COLUMN local_time boolean NOT NULL DEFAULT false,
  ADD COLUMN window_mails int NOT NULL DEFAULT 0 CHECK (window_mails >= 0),
  ADD COLUMN window_minutes int NOT NULL DEFAULT 60 CHECK (window_minutes BETWEEN 1 AND 10080),
  ADD COLUMN missed_policy text NOT NULL DEFAULT 'send' CHECK (missed_policy IN ('send', 'skip', 'ask')),
  ADD COLUMN missed_minutes int NOT NULL DEFAULT 60 CHECK (missed_minutes BETWEEN 1 AND 525600);

-- Wall-clock time in a zone and back. Zones are typed by people and imported: one that PostgreSQL does not know must not
-- stop an engine. Unknown: UTC, and null.
CREATE FUNCTION wall_clock(at timestamptz, zone text) RETURNS timestamp LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN at AT TIME ZONE zone;
EXCEPTION WHEN OTHERS THEN
  RETURN at AT TIME ZONE 'UTC';
END $$;
CREATE FUNCTION from_wall_clock(wall timestamp, zone text) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN wall AT TIME ZONE zone;
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END $$;

-- Where somebody probably is whose country is all that is known: the zone of most of its people. ISO code and the names
-- people write.
CREATE TABLE country_zone (country text NOT NULL, name text NOT NULL, zone text NOT NULL, PRIMARY KEY (country, name));
INSERT INTO country_zone (country, name, zone)
SELECT country, name, zone FROM (VALUES
  ('DE', '{germany,deutschland,alemania}', 'Europe/Berlin'), ('AT', '{austria,österreich}', 'Europe/Vienna'),
  ('CH', '{switzerland,schweiz,suiza,suisse}', 'Europe/Zurich'), ('ES', '{spain,spanien,españa}', 'Europe/Madrid'),
  ('FR', '{france,frankreich,francia}', 'Europe/Paris'), ('IT', '{italy,italien,italia}', 'Europe/Rome'),
  ('PT', '{portugal}', 'Europe/Lisbon'), ('NL', '{netherlands,niederlande,países bajos,nederland}', 'Europe/Amsterdam'),
  ('BE', '{belgium,belgien,bélgica}', 'Europe/Brussels'), ('LU', '{luxembourg,luxemburg,luxemburgo}', 'Europe/Luxembourg'),
  ('LI', '{liechtenstein}', 'Europe/Vaduz'), ('DK', '{denmark,dänemark,dinamarca}', 'Europe/Copenhagen'),
  ('SE', '{sweden,schweden,suecia}', 'Europe/Stockholm'), ('NO', '{norway,norwegen,noruega}', 'Europe/Oslo'),
  ('FI', '{finland,finnland,finlandia}', 'Europe/Helsinki'), ('IS', '{iceland,island,islandia}', 'Atlantic/Reykjavik'),
  ('PL', '{poland,polen,polonia}', 'Europe/Warsaw'), ('CZ', '{czechia,czech republic,tschechien,chequia}', 'Europe/Prague'),
  ('SK', '{slovakia,slowakei,eslovaquia}', 'Europe/Bratislava'), ('HU', '{hungary,ungarn,hungría}', 'Europe/Budapest'),
  ('SI', '{slovenia,slowenien,eslovenia}', 'Europe/Ljubljana'), ('HR', '{croatia,kroatien,croacia}', 'Europe/Zagreb'),
  ('RO', '{romania,rumänien,rumania}', 'Europe/Bucharest'), ('BG', '{bulgaria,bulgarien}', 'Europe/Sofia'),
  ('GR', '{greece,griechenland,grecia}', 'Europe/Athens'), ('TR', '{turkey,türkei,turquía,türkiye}', 'Europe/Istanbul'),
  ('UA', '{ukraine,ucrania}', 'Europe/Kyiv'), ('RU', '{russia,russland,rusia}', 'Europe/Moscow'),
  ('EE', '{estonia,estland}', 'Europe/Tallinn'), ('LV', '{latvia,lettland,letonia}', 'Europe/Riga'),
  ('LT', '{lithuania,litauen,lituania}', 'Europe/Vilnius'), ('IE', '{ireland,irland,irlanda}', 'Europe/Dublin'),
  ('GB', '{united kingdom,great britain,großbritannien,reino unido,uk}', 'Europe/London'),
  ('US', '{united states,usa,vereinigte staaten,estados unidos}', 'America/New_York'),
  ('CA', '{canada,kanada,canadá}', 'America/Toronto'), ('MX', '{mexico,mexiko,méxico}', 'America/Mexico_City'),
  ('AR', '{argentina,argentinien}', 'America/Argentina/Buenos_Aires'), ('CL', '{chile}', 'America/Santiago'),
  ('CO', '{colombia,kolumbien}', 'America/Bogota'), ('PE', '{peru,perú}', 'America/Lima'),
  ('EC', '{ecuador}', 'America/Guayaquil'), ('UY', '{uruguay}', 'America/Montevideo'),
  ('BR', '{brazil,brasilien,brasil}', 'America/Sao_Paulo'), ('AU', '{australia,australien}', 'Australia/Sydney'),
  ('NZ', '{new zealand,neuseeland,nueva zelanda}', 'Pacific/Auckland'), ('JP', '{japan,japón}', 'Asia/Tokyo'),
  ('CN', '{china}', 'Asia/Shanghai'), ('IN', '{india,indien}', 'Asia/Kolkata'),
  ('KR', '{south korea,südkorea,corea del sur}', 'Asia/Seoul'), ('SG', '{singapore,singapur}', 'Asia/Singapore'),
  ('AE', '{united arab emirates,vereinigte arabische emirate,emiratos árabes unidos}', 'Asia/Dubai'),
  ('IL', '{israel}', 'Asia/Jerusalem'), ('ZA', '{south africa,südafrika,sudáfrica}', 'Africa/Johannesburg'),
  ('EG', '{egypt,ägypten,egipto}', 'Africa/Cairo'), ('MA', '{morocco,marokko,marruecos}', 'Africa/Casablanca')
) AS known (country, names, zone), unnest(names::text[]) AS name;

-- Receiving domains and the hosts that take their mail, asked of the DNS and kept for a while. Domains that share hosts
-- are one provider.
CREATE TABLE receiving_domain (
  domain text PRIMARY KEY,
  hosts text[] NOT NULL DEFAULT '{}',
  provider_id smallint REFERENCES provider,
  expires_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX receiving_domain_hosts ON receiving_domain USING gin (hosts);
CREATE INDEX receiving_domain_expiry ON receiving_domain (expires_at);

-- What follows from a reply (ScdRule, SMTP code decision). The first that matches decides, by priority.
CREATE TABLE scd_rule (
  id int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  priority int NOT NULL DEFAULT 100,
  name text NOT NULL,
  provider_id smallint REFERENCES provider,
  phase text NOT NULL DEFAULT 'any' CHECK (phase IN ('any', 'deferred', 'rejected')),
  code_pattern text,
  enhanced_pattern text,
  text_pattern text,
  reply_class text,
  set_class text,
  set_hard boolean,
  action text NOT NULL DEFAULT 'none' CHECK (action IN
    ('none', 'deactivate', 'retry_after', 'backoff_provider', 'pause_campaign', 'quarantine_ip', 'blacklist')),
  minutes int NOT NULL DEFAULT 30 CHECK (minutes BETWEEN 1 AND 10080),
  threshold int NOT NULL DEFAULT 1 CHECK (threshold BETWEEN 1 AND 1000000),
  window_minutes int NOT NULL DEFAULT 60 CHECK (window_minutes BETWEEN 1 AND 10080),
  hits bigint NOT NULL DEFAULT 0,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by int,
  updated_by int,
  revision int NOT NULL DEFAULT 1,
  deleted_at timestamptz
);

-- What rules did, and to what: one row a rule, object and window, so that a thousand replies are one action and one
-- notification. A back-off or a quarantine lasts until `until`, unless it is undone.
CREATE TABLE scd_action (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  rule_id int NOT NULL REFERENCES scd_rule,
  action text NOT NULL,
  object text NOT NULL,
  client_id int NOT NULL REFERENCES client,
  campagne_id bigint,
  mailclass_id bigint,
  provider_id smallint,
  send_ip text,
  email text,
  reply text NOT NULL,
  window_start timestamptz NOT NULL,
  hits int NOT NULL,
  acted_at timestamptz,
  until timestamptz,
  undone_at timestamptz,
  undone_by int,
  UNIQUE (rule_id, object, window_start)
);
CREATE INDEX scd_action_acted ON scd_action (acted_at DESC) WHERE acted_at IS NOT NULL;
CREATE INDEX scd_action_lasting ON scd_action (until) WHERE until IS NOT NULL AND undone_at IS NULL;

-- Sensible defaults: thresholds high enough that chance does not trip them.
INSERT INTO scd_rule (priority, name, provider_id, phase, code_pattern, enhanced_pattern, text_pattern, reply_class,
    set_class, set_hard, action, minutes, threshold, window_minutes) VALUES
  (10, 'Gmail: unusual rate from this IP', 5, 'deferred', '^421', '^4\.7\.28$', NULL, NULL, 'rate', NULL, 'backoff_provider', 30, 20, 10),
  (11, 'Gmail: unsolicited mail from this IP or domain', 5, 'rejected', '^550', '^5\.7\.1$', 'unsolicited', NULL, 'spam', false, 'backoff_provider', 120, 50, 30),
  (12, 'Gmail: mail is not authenticated', 5, 'any', NULL, '^[45]\.7\.(26|27|30)$', NULL, NULL, 'policy', false, 'pause_campaign', 60, 20, 30),
  (13, 'Gmail: mailbox gets too much mail', 5, 'any', NULL, '^[45]\.2\.1$', 'rate', NULL, 'rate', false, 'retry_after', 60, 1, 60),
  (20, 'Microsoft: IP on the block list', 6, 'any', '^5', NULL, '\bS31[45]0\b|block list', NULL, 'reputation', false, 'quarantine_ip', 240, 20, 30),
  (21, 'Microsoft: too much mail from this IP', 6, 'deferred', '^4', NULL, 'rate limit|RP-00[123]|temporarily rate limited', NULL, 'rate', NULL, 'backoff_provider', 30, 20, 10),
  (22, 'Microsoft: mail is not authenticated', 6, 'any', NULL, '^5\.7\.515$', NULL, NULL, 'policy', false, 'pause_campaign', 60, 20, 30),
  (30, 'Yahoo/AOL: unexpected volume or complaints', 7, 'deferred', '^421', NULL, 'TSS?0[1-9]|unexpected volume', NULL, 'rate', NULL, 'backoff_provider', 60, 20, 10),
  (31, 'Yahoo/AOL: refused for good', 7, 'rejected', '^55[34]', NULL, 'TS0[3-9]|permanently deferred', NULL, 'reputation', false, 'quarantine_ip', 240, 20, 30),
  (40, 'GMX: too many mails or connections', 1, 'deferred', '^4', NULL, 'too many|rate|limit', NULL, 'rate', NULL, 'backoff_provider', 15, 20, 10),
  (41, 'WEB.DE: too many mails or connections', 2, 'deferred', '^4', NULL, 'too many|rate|limit', NULL, 'rate', NULL, 'backoff_provider', 15, 20, 10),
  (42, 'GMX: IP has a bad reputation', 1, 'any', '^(4|5)', NULL, 'bad dns ptr|reputation|blacklist', NULL, 'reputation', false, 'quarantine_ip', 240, 20, 30),
  (50, 'T-Online: IP is blocked', 3, 'any', '^55', NULL, 'tosa|\(BL\)|problem occurred', NULL, 'reputation', false, 'quarantine_ip', 240, 20, 30),
  (51, 'T-Online: too much mail', 3, 'deferred', '^4', NULL, 'too many|rate|limit|resources', NULL, 'rate', NULL, 'backoff_provider', 15, 20, 10),
  (60, 'freenet: too much mail', 4, 'deferred', '^4', NULL, 'too many|rate|limit', NULL, 'rate', NULL, 'backoff_provider', 15, 20, 10),
  (70, 'iCloud: too much mail', 8, 'deferred', '^4', NULL, 'HM0[68]|rate|too many', NULL, 'rate', NULL, 'backoff_provider', 30, 20, 10),
  (71, 'iCloud: refused by policy', 8, 'rejected', '^55', NULL, 'CS0[0-9]|local policy', NULL, 'policy', false, 'backoff_provider', 60, 50, 30),
  (100, 'IP on a public block list', NULL, 'rejected', NULL, NULL, 'spamhaus|spamcop|barracuda ?central|\bsorbs\b|uceprotect', NULL, 'reputation', false, 'quarantine_ip', 240, 50, 30),
  (110, 'Receiver asks us to slow down', NULL, 'deferred', '^4', NULL, NULL, 'rate', NULL, NULL, 'backoff_provider', 10, 100, 10),
  (120, 'Receiver takes the content for spam', NULL, 'rejected', NULL, NULL, NULL, 'spam', NULL, false, 'pause_campaign', 60, 500, 30),
  (130, 'Content with a virus or a blocked link', NULL, 'rejected', NULL, NULL, 'virus|malware|phish|surbl|uribl', NULL, 'spam', false, 'pause_campaign', 60, 50, 30),
  (140, 'Sender domain is unknown to the receiver', NULL, 'rejected', NULL, '^5\.1\.8$', NULL, NULL, 'policy', false, 'pause_campaign', 60, 50, 30),
  (200, 'Mailbox does not exist', NULL, 'rejected', NULL, '^5\.1\.(1|10)$', NULL, 'bad-mailbox', NULL, true, 'none', 30, 1, 60),
  (210, 'Mailbox is full', NULL, 'rejected', NULL, '^5\.2\.2$', NULL, 'quota', NULL, false, 'none', 30, 1, 60),
  (220, 'Receiver never wants mail from us again', NULL, 'rejected', NULL, NULL, 'do not (send|mail) (me|us)|remove (me|us|this address) from|cease and desist', NULL, 'filtered', false, 'blacklist', 30, 1, 60);
