/** Reason why a message was not accepted. Each class leads to different actions. */
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

export type ReplyRule = readonly [name: ReplyClass, words: RegExp]

/**
 * Creates a rule of one class and topic. The alternatives are regular expressions over the reply as one line,
 * case-insensitive.
 */
export function rule(name: ReplyClass, ...alternatives: string[]): ReplyRule {
  return [name, new RegExp(alternatives.map(alternative => `(?:${alternative})`).join('|'), 'i')]
}

const raw = String.raw
/** Up to six words, within one clause and not about a machine. */
const FEW = raw`(?: (?!server|host|domain|system|network)[^\s:;]+){0,6}? `
const IS = '(?:(?:is|was|are|were|be|been|being|has|have|had|currently|temporarily|already|no longer) )*'
const NOT = raw`(?:not|n't|never|cannot)`
const MAILBOX = raw`(?:user|recipient|mail ?box|account|(?<!ip |sender |from |source )address|addressee|in-?box|e-?mail (?:address|account|user)|person|alias|login|local[- ]part|userid|customer|subscriber)(?:\(?e?s\)?)?`
const DOMAIN = raw`(?:host|domain|site|destination|hostname|mail ?server|(?<![\w.-])(?!\d+(?:\.\d+)+(?![\w.-]))[\w-]+(?:\.[\w-]+)+)`
const MESSAGE = raw`(?:message|mail|e-?mail|data|body|attachment|text|content|file|msg)s?`

/** Plain wordings of receivers. The first matching rule decides, so exceptions come first. */
export const PLAIN_WORDS: readonly ReplyRule[] = [
  // Wishes of the recipient.
  rule(
    'filtered',
    raw`recipient'?s? (?:has |have )?(?:chosen|refus|block|filter|prefer|setting)`,
    raw`(?:refused|rejected|blocked|filtered) by (?:the )?(?:recipient(?!'?s? (?:domain|server|mail|e-?mail|system|organi))|user\b|domain filter|addressee)`,
    raw`(?:user|recipient|addressee) (?:(?:has|have) (?:you )?(?:rejected|refused|blocked|filtered|chosen)|(?:rejected|refused|blocked|filtered|rejects|refuses|blocks) (?:your|this|the|all|mail|message|e-?mail)|does(?:n't| not) (?:accept|want|wish))`,
    raw`you are not (?:in|on) (?:the(?:ir)?|h(?:is|er)|my|it)\b|only accept\w* (?:mail|messages|e-?mails?) from (?!(?:\w+ )?(?:authenticated|authori[sz]ed|internal|members))|\buser reject|(?:on|in) (?:the )?(?:recipient|user|addressee)'?s? (?:approved|allow|block|deny|safe|personal|private)`,
    raw`(?<!to |be )white-?list|not in (?:my|his|her|the user's) (?:contact|friend|allow)|confirm (?:your|that you)|受信拒否`,
  ),

  // Relaying denied comes first: such replies mention names and addresses as well.
  rule(
    'policy',
    raw`relay(?:ing)?(?: access)? (?:denied|not permitted|not allowed|prohibited)|(?:unable|not (?:permitted|allowed|authori[sz]ed)) to relay`,
    raw`local users? only`,
  ),

  rule('content', raw`duplicated? '?(?:header|dkim)`, raw`header.{0,20}duplicate`),

  // Authentication of the sender.
  rule(
    'reputation',
    raw`\b(?:spf|dkim|dmarc|domainkeys|sender ?id)\b`,
    raw`authentication (?:checks?|information|results?)\b.{0,30}(?:fail|${NOT}|missing)`,
    raw`${MESSAGE} ${IS}(?:unauthenticated|not authenticated)|unauthenticated e?-?mail|not pass (?:the )?authentication`,
    raw`\bp=(?:reject|quarantine)\b|does not designate|not (?:designated|permitted|authori[sz]ed)(?: sender| to send (?:from|for|on behalf))`,
  ),

  // The sender's address, before words that also fit the recipient's.
  rule(
    'policy',
    raw`sender(?: address| domain| verif\w+| e-?mail| id)? ${IS}(?:rejected|denied|refused|fail\w*|invalid|unknown|${NOT} )`,
    raw`(?:domain of sender|sender'?s? domain|envelope sender|return[- ]path|mail from(?!:| (?:ip|host|your|[[\d]))|from address)\b.{0,60}(?:does not exist|${NOT} (?:exist|found|resolve|valid)|invalid|required|reject|refuse|denied|unknown)`,
    raw`(?:invalid|bad|unresolvable|unknown|nonexistent|forged) (?:sender|return path|from address)`,
    raw`(?:cannot|could not|can't|unable to) verify (?:the )?sender`,
    raw`callback (?:verification|setup)|sender callback|purported responsible`,
    raw`sending to/from an address|unauthenticated senders|sender (?:address )?(?:is )?(?:on|in) .{0,30}(?:recipient|user|my |(?:deny|block|black)[- ]?list)|suspected bounce`,
    raw`(?:not|non)[- ]?(?:\w+ )?rfc|rfc[- ]?(?:\d{3,5})?.{0,20}(?:compl|conform|violat)|violat\w* rfc|multiple (?:addresses in|from|subject) |one or no .{0,20}headers?`,
    raw`(?:not|n't) accept (?:any )?(?:e-?mail|mail|messages?) from (?:this|that) (?:address|sender)`,
    raw`(?:you|sender)s? (?:are|is) not (?:a )?(?:member|subscriber|subscribed|allowed to (?:post|send))`,
    raw`permission to (?:post|write|send)|may not (?:post|write|send|submit)|only (?:authori[sz]ed|authenticated)|members?[- ]only|(?:moderated|closed|private) (?:mailing )?(?:list|group)|only (?:members|subscribers)`,
  ),

  rule('rate', raw`too many (?:\w+ )?(?:connections?|sessions)\b`),

  // The sending host: name, permissions, reputation.
  rule(
    'reputation',
    raw`reverse[- ]?(?:dns|lookup|mapping|record)|\bptr\b|\brdns\b|ip name lookup|fix (?:your )?dns`,
    raw`(?:cannot|can't|could not|unable to|fail\w* to) (?:find|resolve|verify|get) (?:your|the client|client|a) (?:reverse |host ?name|ip|domain name|address)`,
    raw`unresolvable (?:\w+ )?host ?name|unverif\w+ (?:sending ip|client|host)|no (?:valid )?(?:host ?name|dns record|a record) `,
    raw`(?:generic|dynamic|residential|dial-?up|dsl)\b.{0,30}(?:ip|host|address|range|pool)`,
    raw`(?:forged|invalid|bad) (?:helo|ehlo)|(?:helo|ehlo)\b.{0,40}(?:does not|invalid|reject|must|mismatch)`,
  ),
  rule(
    'spam',
    raw`(?:black|block)-?listed (?:url|uri|link|domain)|(?:url|uri|link)s? (?:in|of) .{0,20}(?:message|mail|body)`,
    raw`\bur[il]bl|surbl`,
  ),
  rule(
    'reputation',
    raw`(?:black|block|deny|ban)[- ]?list(?!ed (?:attachment|file|extension|content))|black ?ip|dnsbl|\brbls?\b|spamhaus|spamcop|\bsorbs\b|barracuda ?(?:central|reputation)`,
    raw`senderbase|csi\.cloudmark|spams? (?:\w+ )?from (?:your|this) ip|spam ip\b|abuseat|uceprotect|invaluement|sender ?score|open (?:relay|proxy)|reputation|user complaints`,
  ),
  rule(
    'reputation',
    raw`(?:your|sending|client|source|remote) (?:ip|host|network|server|machine|mail ?server|mta|domain|address|provider|isp)\b[^.]{0,60}(?:block|bann|listed|reject|refus|denied|prohibit|suspicious|abus|not (?:allowed|permitted|accepted|authori[sz]ed|welcome))`,
    raw`(?:message|mail|connection|e-?mail)s? from .{0,60}(?:weren't sent|${IS}(?:block|reject|refus|bann)|not (?:accepted|allowed))`,
    raw`(?:refused|rejected|blocked|banned|denied)[^.]{0,40} (?:your|this) (?:ip|host|network|server|isp)`,
    raw`(?:\b(?:ip|host)(?: address)?|\b\d{1,3}(?:\.\d{1,3}){3}\]?) ${IS}(?:block|bann|black|reject|refus|denied|not allowed|disallowed|listed|found on)`,
    raw`client host\b.{0,60}(?:reject|block|denied|refus)|banned (?:ip|sending|host)|invalid ip for sending`,
    raw`no access from (?:mail )?server|(?:use|through) the smtp server of your isp|your isp'?s? (?:mail|smtp) server`,
    raw`(?:not|n't) accept\w* (?:from|(?:mail|connections?|messages?|e-?mail)s? from)`,
    raw`access denied for (?:ip|host|your)|\(bl\)|not allowed to connect|host network,? not allowed|(?:ipcheck|support)\.proofpoint|(?:connection|refuse[ds]?).{0,20} due to abuse`,
  ),

  // Rate wordings that also name unsolicited mail.
  rule('rate', 'unusual rate', 'unusual sending'),
  rule(
    'quota',
    raw`too (?:many|much) (?:mail|messages?|data) (?:in|on) (?!(?:this|one|a|the|your|single) (?:session|connection))`,
    raw`(?:mail ?box|in-?box|folder)[^.;:]{0,40} too (?:many|much) (?:e?-?mails?|messages|data)|(?:stored|storage)[^.;:]{0,20} limit|limit[^.;:]{0,20} (?:stored|storage)`,
    'zu ?viele mails',
  ),

  // Content.
  rule(
    'spam',
    raw`\bscored?\b(?: \w+){0,3} [\d.]+\b|(?:\bd?|anti-?)spam|bogo(?:filter|sity)|unsolicited|\bjunk\b|\bu[bc]e\b|bulk (?:e?mail|message)|spam(?:signature|filter|detect)`,
    raw`\bvirus|malware|phish|trojan|infected|\bworm\b|suspicious`,
    raw`(?:message|mail)?'?s? content (?:(?:was|is) )?(?:reject|denied|refused)|unwanted (?:mail|content)|content scanner|commercial (?:e-?mail|mail|message)|advertis|objectionable|\bbayes|\brazor\b`,
  ),

  // Volume and rate.
  rule(
    'rate',
    raw`too many (?:\w+ )?(?:connections?|sessions?|messages|mails?|e-?mails?|recipients|requests|rcpts?|hosts|errors|commands)`,
    raw`(?:concurrent|simultaneous) (?:\w+ )?(?:connections?|sessions?)|connections? (?:rate|limit|frequency|count)`,
    raw`limit of (?:\d+ )?(?:e-?mails|mails|messages|recipients|connections)|frequency limited|too much mail|receiving (?:mail|messages|e-?mail) (?:at a rate|too)|(?:excessive|high|heavy) (?:\w+ )?(?:volume|rate|load|traffic)|(?:rate|frequency|volume)[- ]?(?:limit|control)|(?:too|so) (?:fast|quickly|frequent\w*)|throttl|gr[ea]y[- ]?list`,
    raw`(?:message|mail|hourly|daily|send|sending|recipient|session|thread|delivery|relay) (?:rate|limit|quota|count)s? ${IS}(?:exceed|reach)`,
    raw`(?:limit|maximum)[^.]{0,20}reached|exceed\w*[^.]{0,40}(?:connection|message rate|sending|per (?:hour|day|minute|second|connection|session)|hourly|daily|number of recipients)`,
    raw`max(?:imum)?[^.]{0,20}(?:connections?|recipients|messages per)|unusual volume|unexpected volume|hourly (?:\w+ )?(?:quota|limit|allowance)|(?:slow|back)(?:ing)? (?:down|off)`,
  ),
  rule(
    'quota',
    raw`over[- ]?(?:\w+ )?quota|overquota|quota_?exceed|quota${FEW}(?:exceed|violat|exhaust|full|limit|reach)`,
    raw`quota (?:exceed|violat|exhaust|full|reach)`,
    raw`(?:exceed|exhaust|reach|violat|outgrown|over)\w* (?:(?:its|the|their|his|allowed|storage|mail ?box|e-?mail|disk|maximum|user) )*(?:quota|storage|mail ?box|disk|space|allocation|capacity)`,
    raw`(?:mail ?box|in-?box|account|folder|mail ?dir|mail ?drop|drop|spool|storage|disk|user|box|recipient|store|partition|file ?system)${FEW}(?:(?<!for |in )full\b(?! (?:details|message|name|text|list))|overdrawn|out of (?:space|storage)|too (?:full|large|big)|exceed\w* (?:(?:the|its|allowed|local|maximum|storage) )*(?:limit|size|quota))`,
    raw`(?:mail ?box|in-?box|account|folder|mailfolder|storage|disk|user)[ -](?:is )?(?:too )?full\b`,
    raw`(?:not enough|insufficient|no|low on|lack of|out of|no more) (?:(?:free|available|system|disk|mail ?box|storage|mail|file) )*(?:space|storage|quota|disk|room)\b`,
    raw`mail ?box(?: size)? limit|mail ?box size|size of (?:the |this |your )?mail ?box|storage limit|(?:space|quota)${FEW}used up|\bused? [\d.,]+ ?(?:[kmgt]i?b )?(?:of|out of|/) ?[\d.,]+ ?(?:[kmgt]i?b)?\b|at capacity`,
  ),

  // The receiver's disk.
  rule('system', raw`(?:file|database|directory) (?:does not|doesn't) exist|no such file`),

  // Mailbox.
  rule(
    'bad-mailbox',
    raw`no record of|(?:nobody|no one)\b(?: \w+)? (?:by|with|of) (?:that|this) name|has moved|${MAILBOX} ${IS}moved|new address is|no forwarding address|n'est plus|has left (?:the )?(?:company|organi[sz]ation)`,
    raw`no longer (?:at|with|works?|employed|here|in use|available|exists?|valid|active at|accept)`,
    raw`changed (?:his|her|their|its) (?:e-?mail )?address|please (?:use|update|try) (?:the )?new (?:e-?mail )?address`,
  ),
  rule(
    'inactive-mailbox',
    raw`${MAILBOX}${FEW}${IS}(?:disabled|in-?active|inactivated|suspended|de-?activated|locked|frozen|closed|terminated|cancell?ed|expired|not (?:active|activated|enabled)|on hold)\b`,
    raw`(?:inactive|disabled|suspended|deactivated|closed|locked|expired|blocked|dormant|terminated) ${MAILBOX}`,
    raw`(?:account|mail ?box)${FEW}blocked|account (?:suspend|inactiv|disab|block)|${MAILBOX}[^.;:]{0,60} (?:deactivated|switched off|turned off)\b|inactivity|on (?:\w+ )?hold\b|${MAILBOX}${FEW}not (?:(?:currently )?in use|have an active)|is (?:currently )?suspended|(?:no longer in|out of) service|${MAILBOX}${FEW}not (?:accept|receiv)\w* (?:any )?(?:e-?mails?|mails?|messages?)|not (?:been )?(?:logged in|accessed|checked) (?:for|in|since)`,
  ),
  rule(
    'bad-domain',
    raw`no longer (?:handles?|hosts?|serves?|accepts? mail for) (?:this|that|the) domain|no route (?:found )?to domain|null ?mx|(?:mx|srv) record indicated no smtp|no (?:mx|mail exchanger|a or mx|mx or a|valid mx|(?:valid )?(?:mx|mail) ?servers?|smtp service)\b`,
    raw`(?:does(?:n't| not)|not) (?:accept|receive|handle)(?:ing)? (?:any )?(?:(?:e-?)?mail|messages|network messages)(?! (?:from|with|of|that|containing|larger|over))\b`,
    raw`domain(?: name)?\b.{0,60}not (?:appear to be )?registered|(?<!(?:links?|urls?) (?:to|with) )(?:illegal|unknown|invalid|no such) (?:host|domain)|domain \S+ couldn't be found`,
    raw`couldn't find (?:any|a|an) (?:host|mail|mx)`,
    raw`(?:recipient'?s? domain|domain of (?:the )?recipient)\b[^.]{0,40}(?:not (?:be )?(?:found|exist|resolve|known|valid)|unknown|invalid|must exist)`,
  ),
  rule(
    'bad-mailbox',
    raw`${MAILBOX}${FEW}${IS}(?:unknown|invalid|illegal|incorrect|undefined|non-?existent|un?recogni[sz]ed|undeliverable|unavailable|absent)\b`,
    raw`${MAILBOX}${FEW}(?:(?:is|was|are|were|be|been|does|do|did|has|could|can|name|of) )*${NOT} (?:be )?(?:found|known|recogni[sz]ed|listed|exist|exists|a (?:valid|known|local|registered)|valid|hosted|available|local|defined|registered|here|in (?:the|our|my|this)|on (?:this|our|the|post))`,
    raw`(?:user|address|account|mailbox|recipient|account)s? (?:does|did|could|can|do|was|is)?n'?t (?:exist|be found|found|valid|known|have an?)|couldn't be found|could not be found|(?<!(?:host|domain|server|file|system) )name (?:(?:is|was) )?not (?:found|known|recogni[sz]ed)`,
  ),
  rule(
    'bad-mailbox',
    raw`(?:unknown|no such|invalid|illegal|non-?exist\w+|wrong|bad|undefined|unrecogni[sz]ed|incorrect|unregistered|undeliverable|not an?(?: known| valid| local| registered)?) (?:(?:or|local|final|delivery|virtual|mail|e-?mail|smtp|destination|known|named|active|illegal|final) )*(?:user(?:id|name|s)?|recipients?|mail ?box(?:es)?|accounts?|persons?|addressee|alias|local[- ]part|people|subscriber|customer|address)\b`,
    raw`user ?unknown|userunknown|user_?not_?found|nosuch(?:user|domain)?\b|unknownuser|rcpnotfound`,
    raw`\bno (?:\w+ )?(?:mail ?box|account|user|subscriber)\b(?: \w+){0,2}? (?:here|by that|by this|in|with|on|at|named|under)`,
    raw`(?:not|isn't) (?:(?:listed|found|present|defined) )?in (?:(?:the|our|my|this|domino|its|public) )*(?:list|directory|address ?book|recipient table|database|virtual)`,
    raw`(?:doesn't|does not) have an? \S* ?(?:account|mailbox)|no valid recipient|not our (?:customer|user)`,
    raw`(?:can(?:not|'t)|could(?: not|n't)|unable to) (?:be )?(?:find|locate|found|located|verify|expand)(?: \S+){0,2} (?:user|recipient|mailbox|account|address|alias)`,
    raw`check (?:if |that |whether )?(?:the |recipient'?s? |e-?mail )*address (?:is|was)|\(and other recipients in the same domain\)|for typos\b`,
  ),

  // Domain; a temporary lookup failure is a network problem.
  rule(
    'connection',
    raw`not found, try again|(?:temporar\w+|soft) (?:dns|name|resol)`,
    raw`name serv(?:er|ice)\b.{0,80}(?:fail|try again|timed|malformed|unexpected|not respond)|host ?name lookup fail`,
  ),
  rule(
    'bad-domain',
    raw`${DOMAIN}(?: [^\s:;]+){0,2}? ${IS}(?:unknown|not found|not (?:be )?(?:exist|resolved|found|known)|invalid|illegal|does(?:n't| not) exist|non-?exist\w+|couldn't be found|could not be found)\b`,
    raw`(?<!(?:links?|urls?) (?:to|with) )(?:unknown|no such|invalid|illegal|bad|unrout(?:e?able)|non-?existent) (?:(?:mail|local|destination|remote) )?(?:host|domain|site|destination|system)`,
    raw`unroute?able (?:mail )?(?:address|domain)|point to non-existent hosts|no data record of requested type|nxdomain|name or service not known|host or domain name not found|bad destination`,
    raw`(?:wasn't|unable|not able|cannot|can't|could not|failed) (?:to )?(?:find|look ?up|resolve|route)\b(?: \w+){0,3} (?:host|domain|mx|destination)`,
  ),
  rule('bad-mailbox', raw`not exist\b|doesn't exist`),
  rule(
    'connection',
    raw`servfail|resolve route|dns (?:temp\w* )?(?:error|failure|timeout|problem|server|query|lookup)`,
    raw`(?:dns|mx|name|host ?name) (?:lookup|resolution)`,
  ),

  // Message.
  rule(
    'content',
    raw`${MESSAGE}(?: [^\s:;]+){0,4}? (?:too (?:large|big|long)|larger than|oversized|over the (?:size|limit))`,
    raw`exceed\w* (?:(?:the|its|our|your|a|fixed|maximum|max|allowed|permitted|inbound|incoming|message) )*(?:size|limit of|length)|size exceeded`,
    raw`too (?:large|big)\b|\bsize\b[^:;]{0,40} (?:greater|larger|bigger|more|higher) than|(?:message|mail) (?:file)?size (?:limit|exceed|is (?:too|bigger|larger))|max(?:imum)? (?:(?:message|mail|file) )?size|size limit|oversized`,
    raw`(?:malformed|invalid|illegal|improper|broken|missing) (?:(?!attachment)\w+ )?(?:mime|header|content|encoding|charset|character|date|structure|body)|lines? too long|lines? longer than`,
    raw`headers? (?:\w+ ){0,2}syntax|\bnul (?:char|byte)|(?:without|no|lacks?) (?:\w+ ){0,3}header|mime (?:error|syntax|structure|format|type|part)|8-?bit (?:data|mime|char)|bare (?:lf|cr|line|newline)|line (?:is )?too long|(?:conversion|decod\w+|encod\w+) (?:error|fail)|charset`,
  ),

  // Receiver policy.
  rule(
    'policy',
    raw`relay(?:ing|ed)?\b(?: \w+){0,3}? (?:denied|prohibit|permit|allow|reject|refus|disabled|forbid)|(?:not|no|cannot|unable to|deny|denied|third[- ]party|unauthori[sz]ed|configured to|as a) relay|relaying`,
    raw`not (?:a )?(?:local|gateway|our) (?:domain|host|gateway)|isn't in my list of allowed`,
    raw`(?:authentication|auth|authori[sz]ation|login|starttls|tls|encryption)\b(?: \w+){0,4}? (?:required|needed|necessary|first|mandatory|credentials|enforced)`,
    raw`(?:must|need to|should|please|requires?) (?:(?:be|first|issue|use|a) )*(?:authenticat|starttls|auth\b|log ?in|tls)|turn on (?:smtp )?auth|(?:invalid|bad|wrong|incorrect) (?:\w+ )?(?:credentials|password|login)|authentication (?:\w+ )?(?:failed|unsuccessful|failure|rejected|error)`,
    raw`not (?:allowed|permitted|authori[sz]ed|entitled) to (?:send|post|submit|use|relay|access|email|mail)|(?:don't|not) have permission`,
    raw`(?:policy|security) (?:violation|reason|restriction|reject|issue|setting|error|polic|problem|concern|risk)|(?:violat\w+|against|due to|because of)(?: \w+){0,2} (?:polic|security)|(?:local|company|corporate|site|content|administrative|organi[sz]ation\w*) polic|potential security|presents a potential`,
    raw`(?:attachment|file|executable|extension|archive|macro)s?(?: \w+){0,3}? (?:not (?:allowed|permitted|accepted)|blocked|prohibited|banned|forbidden)|(?:banned|blocked|blacklisted|prohibited|forbidden|dangerous|illegal|unsafe|encrypted) (?:attachment|file|content|extension|word|archive)`,
    raw`(?:bounced|rejected|refused|blocked|discarded) by (?:the |an? )?administrator|log ?in (?:first|before)|header error|protocol violation|administrative prohibition|anti-?spoofing|access to submit|administrative(?:ly)? (?:prohibit|block|den|reject)|restricted|forbidden|unauthori[sz]ed`,
  ),

  rule(
    'system',
    raw`config(?:uration)? error|down for maintenance|directory (?:lookup|serv(?:er|ice))|\bldap\b`,
  ),

  // Routing.
  rule(
    'connection',
    raw`too many (?:hops|.?received)|hop ?count|points back to|loop detected|(?:mail|routing|forward\w*|delivery|message|local|mx) ?-?loop|loop(?:s|ing)? back|looping|forwarded more than|maximum (?:allowed )?hops`,
    raw`(?:connection|session|socket|network|tcp)\b(?: [^\s:;]+){0,6}? (?:timed? ?-?out|refus|reset|lost|drop|closed|abort|fail|broken|error|unavailable|unreachable)|timed? ?-?out|no route to|unreachable|not reachable`,
    raw`(?:network|host|server|system)\b(?: [^\s:;]+){0,3}? (?:down|not respond\w*|offline|busy|did ?n[o']t (?:accept|respond|answer)|does ?n[o']t respond)|not responding|no answer`,
    raw`(?:could ?n[o']t|cannot|can't|unable to|fail\w* to|not able to|was ?n[o']t able to|trouble)\b(?: \w+){0,3}? (?:connect|establish|reach|contact)`,
    raw`(?:delivery|message|retry|mail|queue|time|lifetime|period)\b(?: \w+){0,4}? (?:expired|exceeded|elapsed|ran out)|(?:expired|exceeded|past|beyond)(?: \w+){0,3}? (?:lifetime|queue|(?:retry |delivery )?(?:period|time))\b|\bexpired\b|giv(?:ing|en) up\b(?! on)|too long\b|(?:retry|retries|attempts?) (?:timeout|limit|exhausted|exceeded)`,
    raw`(?:for|after|within|over|failed) (?:(?:more|than|over|the|last|at|least|about) )*[\d.]+ ?(?:more )?(?:seconds?|minutes?|hours?\b|hour\(s\)|days?\b|day\(s\)|attempts|retries|tries|times)`,
    raw`retry time not reached|long failure period|lookup failed temporarily|still (?:undelivered|in (?:the )?queue)|will (?:keep|be (?:re-?)?tried|continue|retry)|retried for|temporarily suspended|not yet (?:been )?delivered|delayed\b`,
    raw`(?:tls|ssl|starttls)\b(?: \w+){0,4}? (?:fail|error|handshake|alert)|handshake fail|could not find a gateway|lost connection`,
  ),

  // Faults of the receiver or of EMMA.
  rule(
    'system',
    raw`mailer (?:error|died|failed)|(?:command|program|pipe|script|delivery agent|lmtp|deliver)\b(?: [^\s:;]+){0,5}? (?:died|exit\w*|crash\w*|status|error)|(?:agent|program|script) failed|died with|exit(?:ed)? (?:with )?(?:status|code)`,
    raw`(?:can(?:not|'t)|could ?n[o']t|unable to) (?:create|open|write|lock|append|access|read|exec|stat)\b|permission denied|read-?only|(?:i/o|disk|write|read|database|sql|lock\w*) error`,
    raw`(?:internal|local|system|server|service|software|configuration|config|processing|unexpected|general|technical|temporary|transient|unspecified) (?:\w+ )?(?:error|problem|failure|fault)s?|configur(?:ed|ation)`,
    raw`resources? (?:temporarily |currently )?(?:unavailable|exhausted)|insufficient (?:system )?resources|out of memory|overload|system load|maintenance|shutting down`,
    raw`unrecogni[sz]ed command|command (?:not |un)?(?:recogni[sz]ed|implemented|unrecogni[sz]ed)|syntax error|bad (?:sequence|command|syntax)|malformed (?:address|path)|protocol error|duplicated? message-?id`,
  ),
]

/** Vague wordings: they count if neither plain words nor a specific code match. */
export const VAGUE_WORDS: readonly ReplyRule[] = [
  rule(
    'bad-mailbox',
    raw`recipients? (?:address(?:es)? )?${IS}(?:rejected|refused|denied|not accepted)|address (?:was )?(?:rejected|refused)|does not like recipient`,
  ),
  rule('reputation', raw`listed (?:by|at|on|in)\b|delist|blocked\b|connection refused by|refused to talk`),
  // Barracuda's cloud filter, which names only the address.
  rule('spam', 'permanent failure for one or more recipients'),
  rule('policy', raw`reject|refus|denied|disallow|prohibit|banned|not accept|unacceptable|declin`),
  rule('connection', raw`deferred|\bloop\b`),
  rule('system', raw`transaction failed|unavailable|not available|problem|temporar|try (?:again )?later`),
]
