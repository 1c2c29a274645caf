import { type ReplyRule, rule } from './reply-rules.ts'

const raw = String.raw

/** A subject followed closely by a predicate. */
function said(subjects: string, predicates: string): string {
  return raw`(?:${subjects})[^.!?]{0,60}?(?:${predicates})`
}

/**
 * Plain words in the other languages of replies: German, Dutch, French, Spanish, Portuguese, Italian, Romanian, the
 * Scandinavian languages, Finnish, Polish, Czech, Slovak, Hungarian, Turkish, Greek, Russian, Ukrainian, Bulgarian,
 * Japanese, Chinese, Korean, Vietnamese and Indonesian; many servers omit accents. Same order as in English: sender,
 * content, rate, then the mailbox.
 */
export const WORDS_ABROAD: readonly ReplyRule[] = [
  rule(
    'policy',
    said(
      raw`absender|afzender|expéditeur|expediteur|émetteur|emetteur|remitente|remetente|mittente|avsändare|afsender|avsender|nadawc|odes[ií]lat|feladó|gönderen|отправител|відправник|送信者|差出人|发件人|寄件者|發件人|발신자`,
      raw`unbekannt|ungültig|ungueltig|abgelehnt|nicht erlaubt|gesperrt|geweigerd|ongeldig|invalide|refus|inconnu|no válido|rechazad|no existe|inválid|invalid|rejeitad|rifiutat|non valid|nieprawidł|odrzuc|nepovolen|odmítnut|elutasít|geçersiz|reddedil|отклон|недейств|не существует|拒否|拒绝|拒絕|无效|不存在|거부`,
    ),
  ),
  rule(
    'reputation',
    raw`sperrliste|liste noire|lista (?:negra|nera)|zwarte lijst|czarn\S{1,3} li[sś]|ч[её]рн\S{1,3} спис|чорн\S{1,3} спис|ブラックリスト|黑名单|黑名單|블랙리스트|kara liste|svart(?:a )?list|sortlist|feketelist|mustalla listalla`,
    said(
      raw`\bip\b|ip-?adres|adresse ip|dirección ip|endereço ip|indirizzo ip|ip-адрес`,
      raw`gesperrt|blockiert|abgelehnt|geblokkeerd|bloqu|rechazad|rejeitad|bloccat|rifiutat|zablokowan|blokován|blokkol|engellen|заблокирован|ブロック|拒否|被(?:拒|封|屏蔽|限制)|차단`,
    ),
  ),
  rule(
    'spam',
    raw`indésirable|indesirable|pourriel|no deseado|indesiderat|n[ãa]o solicitad|ongewenst|oönskad|uønsket|roskaposti|niechcian|nevyžádan|kéretlen|istenmeyen|спам|нежелательн|迷惑メール|スパム|ウイルス|垃圾|病毒|스팸|바이러스|thư rác`,
  ),
  rule(
    'rate',
    said(
      raw`zu viele|te veel|trop de|demasiad[ao]s|muit[ao]s|tropp[eio]|för många|for mange|zbyt wiele|příliš mnoho|túl sok|çok fazla|слишком мног|забагато`,
      raw`verbindung|nachricht|e-?mail|verzoek|connex|messages?\b|destinat|conexion|mensaje|conex|mensage|conness|messagg|anslut|forbindels|tilkobling|połącze|wiadomo|spojen|zpráv|kapcsolat|levél|bağlantı|ileti|соединен|сообщен|писем|з.єднань`,
    ),
    raw`слишком часто|频率|頻率|频繁|過多|过多|接続数|送信数|너무 (?:많|자주)`,
  ),
  rule(
    'content',
    said(
      raw`nachricht|bericht|message|mensaje|mensage|messaggi|meddeland|meddelelse|melding|besked|viest|wiadomo|zpráv|správ|üzenet|levél|ileti|mesaj|письм|сообщен|лист|メール|メッセージ|邮件|郵件|信件|메일|메시지|größe|groesse|taille|tamaño|tamanho|dimension|storlek|størrelse|rozmiar|velikost|méret|boyut|размер|розмір|サイズ|大小`,
      raw`zu gro(?:ß|ss)|überschreitet|te groot|trop (?:gros|volumineu|grand|long)|dépasse la|taille maximale|demasiado grande|tamaño máximo|muito grande|tamanho máximo|troppo grande|dimension[ei] massim|för stor|for stor|liian suuri|zbyt duż|za duż|příliš velk|príliš veľk|túl nagy|çok büyük|слишком больш|завелик|превышает|大きすぎ|サイズ.{0,10}(?:超|制限|上限)|太大|过大|過大|超过.{0,6}(?:大小|限制)|너무 큽`,
    ),
  ),
  rule(
    'quota',
    said(
      raw`postfach|speicher|kontingent|mailbox|postvak|postbus|quotum|boîte|boite|bal\b|quota|espace|buz[oó]n|casilla|cuota|cuenta|caixa|cota|conta\b|casella|spazio|căsuț|casut|cutia|brevlåd|postlåd|inkorg|postkass|innboks|indbakke|indboks|postboks|postilaatik|skrzynk|schránk|kvót|postafiók|tárhely|kutu|kota|γραμματοκιβώτιο|ящик|скринь|кутия|квот|hộp thư|kotak`,
      raw`\bvoll\b|belegt|(?:grenze|beschränkung|beschraenkung|limit) (?:\S{1,10} )?erreicht|überschritten|ueberschritten|erschöpft|überfüllt|\bvol\b|overschreden|plein|satur|dépass|depass|insuffisant|llen[oa]\b|excedid|excede|superad|sobrepas|sin espacio|chei[ao]\b|lotad|sem espa|pien[ao]\b|esaurit|superat|plin[aă]|full\b|fuld|fylld|överskrid|overskred|täynnä|täyttynyt|przepełn|przepeln|pełna|przekrocz|pln[áéý]|přeplněn|preplnen|překroč|prekroč|megtelt|betelt|\btele\b|dolu|aşıl|aşt|γεμάτ|πλήρ|переполн|заполн|переповн|превыш|исчерп|пълн|đầy|penuh`,
    ),
    raw`przekroczon\S{0,10} .{0,20}(?:limit|pojemno)|превышен\S{0,10} .{0,30}(?:квот|объ[её]м|размер|лимит)|容量|一杯|いっぱい|満杯|已满|已滿|空间不足|空間不足|超出.{0,4}配[额額]|가득|용량`,
  ),
  rule(
    'inactive-mailbox',
    said(
      raw`postfach|konto|account|adresse|postvak|mailbox|compte|boîte|boite|cuenta|buz[oó]n|conta\b|caixa|casella|utenza|utente|postkass|brevlåd|tili|skrzynk|účet|účtu|schránk|fiók|hesa[bp]|ящик|аккаунт|уч[её]тная запись|акаунт|обліков|скринь|アカウント|メールボックス|账号|账户|帳號|邮箱|信箱|郵箱|계정|메일함`,
      raw`gesperrt|deaktiviert|stillgelegt|geschlossen|inaktiv|abgeschaltet|gekündigt|geblokkeerd|gedeactiveerd|opgeheven|gesloten|uitgeschakeld|désactiv|desactiv|bloqu|suspend|inacti|inativ|ferm[eé]|cl[oô]tur|archiv|deshabilit|cerrad|cancelad|desativ|encerrad|disabilit|disattiv|sospes|bloccat|inattiv|chius|scadut|spärr|stäng|deaktiver|lukket|stengt|suljettu|zablokowan|zawieszon|nieaktywn|wyłączon|zablokován|pozastaven|neaktivn|zrušen|letilt|felfüggeszt|megszűnt|askıya|devre dışı|kapatıl|заблокирован|отключ|неактив|приостанов|закрыт|удал[её]н|заблоков|停止|無効化|凍結|解約|停用|禁用|冻结|凍結|注销|已(?:关闭|關閉|封)|휴면|정지|해지|탈퇴`,
    ),
  ),
  rule(
    'bad-domain',
    // A domain followed by a predicate, with no mailbox in between.
    raw`(?:dom[aäeé]i?n[eioaăéu]?\S{0,3}|domeniu\S{0,2}|dom[eé]n\S{0,3}|домен\S{0,3}|τομέα\S?|tên miền|域名|網域|网域|ドメイン|도메인)(?:(?!user|mail|benutzer|empf|usu|utilis|utent|dest|adres|konto|postfach|użytk|uživ|použ|пользов|корист|потреб|получ)[^.!?]){0,40}?(?:existiert nicht|nicht (?:gefunden|bekannt|vorhanden)|unbekannt|n['’]existe pas|introuvable|inconnu|no existe|no (?:se )?encontr|n[ãa]o existe|non esiste|inesistente|inexistente|bestaat niet|onbekend|nu exist|neexist|nenalezen|nenájden|nie istnieje|ne postoji|ne obstaja|finns inte|finnes ikke|findes ikke|ei (?:ole olemassa|löydy)|nem létezik|bulunamad|mevcut değil|не (?:существует|найден|існує|съществува)|δεν (?:υπάρχει|βρέθηκε)|không tồn tại|不存在|找不到|错误|見つかり|存在し(?:ま|な)|존재하지 않|찾을 수 없)`,
  ),
  rule(
    'bad-mailbox',
    raw`no existe|n['’]existe (?:pas|plus)|non esiste|n[ãa]o existe|existiert nicht|gibt es nicht|bestaat niet|inconnue?\b|introuvable|unbekannt|onbekend|descono\w{1,20}|desconhecid|sconosciut|inesistente|inexistente|invalide\b|destinatario no válido`,
    raw`(?:empfänger|empfaenger|adresse|benutzer|postfach|nutzer|konto)[^.]{0,60}nicht (?:\S{1,20} )?(?:gefunden|vorhanden|bekannt|registriert|gültig|existi)|no (?:se )?(?:encuentra|ha encontrado|encontrado|encontró)|n[ãa]o (?:foi )?(?:encontrad|localizad)|non (?:è stat\S )?trovat|niet (?:gevonden|bekend)`,
    raw`(?:pas|nicht|non|no|n[ãa]o|niet) (?:\S{1,10} )?(?:répertori|verzeichnet|aufgeführt|registrad|elencat|geregistreerd|presente)|finde?s ikke|finnes ikke|eksisterer ikke|finns inte|existerar inte|hittas inte|hittades inte|ikke (?:fundet|funnet)|okänd|ukendt|ukjent|tuntematon|ei (?:ole olemassa|löydy|löytynyt)`,
    raw`nieznan|nie istnieje|nie (?:zosta\S{1,3} )?(?:znalezion|odnalezion)|nie ma takie|neexist|neznám|neznam|nenalezen|nenájden|nebyl\S? nalezen|nincs ilyen|nem (?:létezik|található|ismert)|ismeretlen|nu exist|necunoscut|nu a fost g[aă]sit|bulunamad|mevcut değil|böyle bir`,
    raw`не (?:существует|найден|зарегистрирован|обнаружен|існує|знайден|съществува)|неизвестн|невідом|нет такого|такого .{0,20}нет|немає такого|άγνωστ|δεν (?:υπάρχει|βρέθηκε)|không tồn tại|tidak (?:ditemukan|dikenal|ada)`,
    raw`ユーザ.{0,20}(?:ません|いない|不明)|アドレス.{0,20}(?:見つかり|存在し|ありま|無効|不明)|ディレクトリ.{0,20}(?:ません|見つか)|(?:宛|あて)先.{0,30}(?:見つかり|存在し|不明)|受信者.{0,20}(?:見つかり|存在し)`,
    raw`不存在|找不到|查无此|查無此|无此(?:用户|人)|無此(?:用戶|使用者|帳號)|地址(?:错误|錯誤|无效|無效)|존재하지 않|찾을 수 없|없는 (?:사용자|계정|주소|수신)`,
  ),
  rule(
    'policy',
    raw`nicht (?:berechtigt|erlaubt|zugelassen|gestattet|autorisiert)|d(?:ü|ue)rfen .{0,40}nicht|niet (?:toegestaan|gemachtigd)|pas (?:autoris|permis|le droit)|non autoris|no (?:está |esta |se )?(?:autorizad|permit)|n[ãa]o (?:est[áa] )?(?:autorizad|permitid)|non (?:è )?(?:autorizzat|consentit|permess)|inte (?:tillåt|behörig)|ikke (?:tillatt|tilladt)|nie (?:masz|ma) (?:uprawn|zezwol)|niedozwolon|není povolen|nem engedélyez|izin(?:li değil| yok| ver)|запрещ|не разреш|許可され|権限|不允许|不允許|无权|無權|허용되지|권한`,
  ),
  rule(
    'connection',
    raw`keine antwort|antwortet nicht|geen antwoord|pas de réponse|ne répond pas|sin respuesta|no responde|sem resposta|não responde|nessuna risposta|non risponde|応答がありません|没有响应|无响应|zeitüberschreitung|nicht erreich|keine verbindung|verbindung .{0,30}(?:abgelehnt|fehlgeschlagen|nicht)|geen verbinding|onbereikbaar|délai .{0,30}(?:dépassé|expir)|injoignable|connexion .{0,30}(?:refus|impossible|échou)|tiempo de espera|no (?:se )?pudo conectar|tempo (?:limite|esgotado|scaduto)|n[ãa]o foi possível conectar|impossibile (?:connettersi|contattare)|przekroczono (?:czas|limit czasu)|vypršel|időtúllépés|zaman aşımı|истекл\S время|время .{0,20}истекл|не отвечает|タイムアウト|接続でき|超时|逾時|连接失败|시간 초과`,
  ),
]
