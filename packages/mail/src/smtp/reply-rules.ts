/** Why a mail was not accepted, in classes that lead to different actions. */
export type ReplyClass =
  | 'bad-mailbox'
  | 'bad-domain'
  | 'inactive-mailbox'
  | 'quota'
  | 'filtered'
  | 'spam'
  | 'policy'
  | 'reputation'
  | 'rate'
  | 'content'
  | 'connection'
  | 'system'
  | 'other'

/**
 * What receivers write, by class; the first rule that matches decides, so narrow wordings stand before wide ones.
 * Collected from the receivers' own documentation and from replies seen in the wild; words only, never addresses.
 */
export const TEXT_RULES: readonly (readonly [ReplyClass, RegExp])[] = [
  // Their own words for "who you are" come with a code that also stands for other things.
  [
    'reputation',
    /block ?list|blacklist|black list|dnsbl|\brbl\b|spamhaus|spamcop|barracuda reputation|senderbase|sender ?score|poor reputation|bad reputation|reputation of|low reputation|sending ip|client host (?:\[[^\]]*\] )?(?:rejected|blocked)|banned sending ip|s3140|s3150|reverse dns|\bptr\b|no rdns|cannot find your (?:reverse )?hostname|unauthenticated|dmarc|\bspf\b|\bdkim\b|sender authentication|not authenticated/i,
  ],
  [
    'spam',
    /\bspam\b|unsolicited|\bjunk\b|bulk mail|virus|malware|phish|infected|suspicious|ubl|listed url|high probability of/i,
  ],
  [
    'rate',
    /too many (?:connections|messages|recipients|mails|sessions|requests|emails)|rate.?limit|\brate\b|throttl|too (?:fast|frequent)|concurrency|exceeded .{0,40}(?:limit|connections)|temporarily deferred|try again later.{0,20}(?:ts0[1-3])|grey.?list/i,
  ],
  [
    'quota',
    /(?:mail ?box|inbox|account|quota|storage|space|disk|folder|maildir).{0,40}(?:full|exceed|exhaust|over|out of|limit)|over ?quota|(?:full|insufficient|exceed\w*|out of|no) .{0,30}(?:mail ?box|quota|storage|disk space)|quota exceeded/i,
  ],
  [
    'inactive-mailbox',
    /(?:account|mailbox|user|address|recipient).{0,60}(?:disabled|inactive|suspend|deactivat|locked|frozen|closed|not active|expired)|inactive (?:user|account|mailbox)|disabled (?:user|account|mailbox)/i,
  ],
  [
    'bad-mailbox',
    /user (?:is )?(?:unknown|not found|not known|doesn'?t exist|does not exist)|unknown (?:user|recipient|address|mailbox|local|account)|no such (?:user|mailbox|recipient|address|person|account|email)|(?:mailbox|recipient|address|account|user).{0,60}(?:not found|unknown|unavailable|does ?n[o']t exist|doesn't exist|invalid|no longer|not exist|not a valid|not listed|rejected: undeliverable)|invalid (?:recipient|mailbox|address|user)|no mailbox here|not our customer|undeliverable address/i,
  ],
  [
    'bad-domain',
    /(?:host|domain).{0,40}(?:not found|unknown|does not exist|doesn't exist|no mx|not exist)|unknown (?:host|domain)|null ?mx|no (?:valid )?mx|name or service not known|nxdomain|does not accept mail/i,
  ],
  [
    'content',
    /too (?:large|big)|size (?:limit|exceed)|message size|exceeds? .{0,30}size|header|mime|attachment|content/i,
  ],
  [
    'connection',
    /timed? ?out|connection (?:refused|reset|lost|dropped|closed)|no route|unreachable|network|could not connect|not responding|expired|tls/i,
  ],
  [
    'policy',
    /policy|relay|not (?:allowed|permitted|authori[sz]ed)|access denied|denied|rejected|refused|banned|prohibited/i,
  ],
  ['system', /system|internal|temporar|local error|configuration|resources|unavailable|service|error/i],
]
