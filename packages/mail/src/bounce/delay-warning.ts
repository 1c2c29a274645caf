/**
 * True if a report in prose only warns of a delay: it says that delivery is retried or that no action is needed, or
 * its subject mentions a delay. False if it quotes a permanent error or says that the system gave up.
 */
export function isDelayWarning(subject: string, text: string): boolean {
  const start = text.slice(0, MAX_TEXT)
  const goesOn = GOES_ON.some(words => words.test(start))
  const isDelayed = DELAYED_SUBJECT.test(subject)
  if (goesOn && isDelayed) return true
  return (goesOn || isDelayed) && !GIVEN_UP.test(start) && !REFUSED_FOR_GOOD.test(start)
}

const MAX_TEXT = 4_000

const DELAYED_SUBJECT =
  /\bdelay|warning: (?:could not|message)|still being retried|verzöger|verspät|retard|retras|demora|atras|ritard|vertraag|uitgesteld|forsinke|försen|viivästy|opóźni|zpožd|oneskor|késle|gecik|întârzi|задерж|отлож|затрим|καθυστέρ|遅延|遅れ|延迟|延遲|지연/i

/** Phrases of systems that still have the message in their queue. */
const GOES_ON = [
  /(?:attempts?|trying|tries|retr(?:y|ies)|delivery)\b.{0,40}\b(?:will|is|are) (?:be )?(?:continu|attempted|made|repeated|scheduled|retried)/i,
  /will (?:keep|continue|be (?:re-?)?tr(?:y|ied)|re-?try|try again)|(?:still|is) (?:being )?(?:trying|retr(?:ied|ying))|attempts will continue/i,
  /(?:not|n't) (?:need|necessary|required|have) to (?:re-?send|send|do|take)|no action is (?:required|needed)|warning (?:message )?only/i,
  /(?:not|n't) (?:yet )?been delivered(?: yet| to one or more| after)|still undelivered|queued for (?:delivery|retry)|(?:kept|remains?|still) in (?:the|our) (?:mail )?queue|temporary failure (?:report|notice)/i,
  /weitere zustellversuche|(?:wird|werden) noch [^.]{0,40}versucht|nur eine warnung|(?:nichts|keine schritte) (?:weiter )?(?:zu )?(?:tun|unternehmen|veranlassen)|(?:wird|werden)[^.]{0,60}(?:weiter|erneut)[^.]{0,30}(?:versuch|zugestellt|zuzustellen)|noch nicht (?:zugestellt|übermittelt)|seguir[áa]\S? intent|todavía no|aún no|se reintentará|pas encore|continuera|nouvelles? tentatives?/i,
  /ainda não|continuar[áa] (?:a )?tent|non (?:è stato )?ancora|ulteriori tentativi|continuer[àa]|nog niet|blijf\S* proberen|opnieuw geprobeerd|endnu ikke|ännu inte|fortsätt\w* försök|ei ole vielä/i,
  /jeszcze nie|ponowi prób|zatím ne|bude opakov|még nem|henüz|tekrar denenecek|ещ[её] не|попытки .{0,40}(?:продолж|повтор)|будет повторя|ще не|продовжуват|再送を(?:試み|行|続)|再試行|引き続き|(?:继续|繼續)(?:尝试|重试|嘗試)|尚未|계속 (?:재)?시도|재시도/i,
]

const GIVEN_UP =
  /giv(?:en|ing) up|permanent(?:ly)?\b|will not (?:be )?(?:re-?tr|try|attempt)|not going to try|no (?:further|more) (?:delivery )?(?:attempts|tries)|fatal|undeliverable|(?:expired|too long)\b|endgültig|dauerhaft|aufgegeben|définitiv|definitiv|abandon/i

const REFUSED_FOR_GOOD = /(?:^|[\s:;'"(<])5[0-5]\d[ -]\D|\b5\.\d{1,3}\.\d{1,3}\b/
