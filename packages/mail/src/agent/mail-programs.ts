/** `other`: a television, a game console, or hidden behind a proxy. */
export type Device = 'desktop' | 'mobile' | 'tablet' | 'other'

/** A mail program that its user agent identifies. */
export interface MailProgram {
  pattern: RegExp
  name: string
  /** Fetches images on behalf of readers, whose device it hides. */
  isProxy?: boolean
  /** Set if the program runs on this device only. */
  device?: Device
  os?: string
  /** Runs on phones and desktops, with a user agent that is not a browser's. */
  isApp?: boolean
}

/** Returns the mail program of a user agent if it is one that browser tables do not contain. */
export function mailProgramOf(userAgent: string): MailProgram | undefined {
  return mailPrograms.find(program => program.pattern.test(userAgent))
}

/** The first match counts. */
const mailPrograms: readonly MailProgram[] = [
  { pattern: /GoogleImageProxy/i, name: 'Gmail', isProxy: true },
  { pattern: /YahooMailProxy/i, name: 'Yahoo Mail', isProxy: true },
  { pattern: /SeznamEmailProxy/i, name: 'Seznam Email', isProxy: true },
  { pattern: /YandexMailProxy|YandexImageResizer/i, name: 'Yandex Mail', isProxy: true },
  { pattern: /Mail\.RU ?Image ?Proxy|Mail\.RU_Bot\/Img/i, name: 'Mail.ru', isProxy: true },
  { pattern: /Outlook-iOS|Outlook-Android/i, name: 'Outlook', device: 'mobile' },
  { pattern: /MacOutlook/i, name: 'Outlook', device: 'desktop', os: 'macOS' },
  { pattern: /Outlook-Express/i, name: 'Outlook Express', device: 'desktop', os: 'Windows' },
  { pattern: /Windows ?-?Live ?-?Mail/i, name: 'Windows Live Mail', device: 'desktop', os: 'Windows' },
  { pattern: /Microsoft Outlook|MSOffice|ms-office|^Outlook\//i, name: 'Outlook', device: 'desktop' },
  { pattern: /WindowsMail|^Windows Mail/i, name: 'Windows Mail', device: 'desktop', os: 'Windows' },
  { pattern: /Thunderbird|Betterbird|Icedove/i, name: 'Thunderbird' },
  { pattern: /SeaMonkey/i, name: 'SeaMonkey', device: 'desktop' },
  { pattern: /^Postbox|Postbox\//i, name: 'Postbox', device: 'desktop' },
  { pattern: /Mailbird\//i, name: 'Mailbird', device: 'desktop', os: 'Windows' },
  { pattern: /Foxmail/i, name: 'Foxmail', device: 'desktop' },
  { pattern: /MailMaster/i, name: 'Mail Master', isApp: true },
  { pattern: /^Barca(?:Pro)?\//i, name: 'Barca', device: 'desktop', os: 'Windows' },
  { pattern: /^MailBar\//i, name: 'MailBar', device: 'desktop', os: 'macOS' },
  { pattern: /Lotus-Notes|HCL-Notes/i, name: 'Notes', device: 'desktop' },
  { pattern: /eM ?Client/i, name: 'eM Client', device: 'desktop' },
  { pattern: /The ?Bat!?/i, name: 'The Bat!', device: 'desktop' },
  { pattern: /Mailspring/i, name: 'Mailspring', device: 'desktop' },
  { pattern: /Evolution\/[\d.]+/i, name: 'Evolution', device: 'desktop' },
  { pattern: /AirMail/i, name: 'Airmail' },
  { pattern: /^Spark\/|SparkMail|SparkDesktop/i, name: 'Spark' },
  { pattern: /Superhuman/i, name: 'Superhuman' },
  {
    pattern: /SamsungEmail|SamsungMail|com\.samsung\.android\.email/i,
    name: 'Samsung Email',
    device: 'mobile',
  },
  {
    pattern: /Yahoo(?:%20| |Mobile)?Mail\/|com\.yahoo\.mobile\.client\.android\.mail|jp\.co\.yahoo\.ymail/i,
    name: 'Yahoo Mail',
    device: 'mobile',
  },
  { pattern: /NaverMailApp|\bNAVER\(/i, name: 'Naver', device: 'mobile' },
  { pattern: /BlueMail/i, name: 'BlueMail', isApp: true },
  { pattern: /K-9 ?Mail|FairEmail|AquaMail|^Dalvik\//i, name: 'Android mail app', device: 'mobile' },
  { pattern: /GMX Mail|WEB\.DE Mail/i, name: 'GMX/WEB.DE Mail', device: 'mobile' },
  { pattern: /^Mail\/[\d.]+ CFNetwork/i, name: 'Apple Mail', device: 'desktop' },
  // WebKit without a browser name is the web view of Apple Mail.
  {
    pattern:
      /\((?:iPhone|iPad|iPod|Macintosh)[^)]*\) AppleWebKit\/[\d.]+ \(KHTML, like Gecko\)(?: Mobile\/\w+)?$/,
    name: 'Apple Mail',
  },
]
