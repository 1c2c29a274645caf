import type { Device } from './mail-programs.ts'

/** Device and system by the platform in a user agent, for programs that browser tables do not contain. */
export interface Platform {
  device: Device
  os: string | undefined
}

/** Parses the platform of a user agent. Televisions come first: they name Android or Linux as well. */
export function platformOf(userAgent: string): Platform | undefined {
  const found = PLATFORMS.find(([pattern]) => pattern.test(userAgent))
  return found && { device: found[1], os: found[2] }
}

/** True for televisions and streaming devices. */
export function isTelevision(userAgent: string): boolean {
  return TELEVISION.test(userAgent)
}

const TELEVISION =
  /Android ?TV|Google ?TV|Apple ?TV|\btvOS\b|SMART-?TV|Smart ?TV|Hbb ?TV|\bDTV\b|Web0S|NetCast|Roku|BRAVIA|Chromecast|CrKey|\bAFT[A-Z][A-Z0-9]{0,6}\b|\b(?:4K ?)?TV ?(?:BOX|Stick)|[\s_(;-]TV[\s_);]|\bATV\d?\b|MiTV|MIBOX|SHIELD Android|WebTV|Espial|BrightSign|SmartCast|VIDAA|Smart ?Box|\bTizen\b[^)]*\bTV\b/i

/** True for user agents that contain "tablet" or a tablet model number of Samsung or Amazon. */
export function isTablet(userAgent: string): boolean {
  return IPAD.test(userAgent) || ANDROID_TABLET.test(userAgent)
}

const IPAD = /\biPad/i

const ANDROID_TABLET =
  /Android[^)]{0,200}(?:\bTablet\b|;\s*(?:SAMSUNG )?SM-[TXP]\d|;\s*KF[A-Z]{2,6}\b)|\bTablet\b[^)]{0,200}Android/i

/** Browsers on Android say `Mobile` on phones alone (developer.chrome.com, "User-Agent reduction"). */
const ANDROID_BROWSER_WITHOUT_MOBILE = /^(?=.*Android)(?=.*Chrome\/)(?!.*Mobile)/

const PLATFORMS: readonly (readonly [pattern: RegExp, device: Device, os: string | undefined])[] = [
  [TELEVISION, 'other', undefined],
  [/PlayStation|Xbox|Nintendo/i, 'other', undefined],
  [/Windows (?:Phone|CE|Mobile)|IEMobile/i, 'mobile', 'Windows Phone'],
  [IPAD, 'tablet', 'iOS'],
  [/iPhone|iPod|\bIOS\b|like Mac OS X/, 'mobile', 'iOS'],
  [ANDROID_TABLET, 'tablet', 'Android'],
  [ANDROID_BROWSER_WITHOUT_MOBILE, 'tablet', 'Android'],
  [/Android/i, 'mobile', 'Android'],
  [/Windows|\bWin(?:32|64|95|98|NT)\b/i, 'desktop', 'Windows'],
  [/Macintosh|Mac[ _]?OS|Mac_PowerPC|\bPPC\b|Darwin\/[\d.]+ \((?:x86_64|i386)/i, 'desktop', 'macOS'],
  [/\bCrOS\b/, 'desktop', 'Chrome OS'],
  [/X11|Wayland|Linux|Ubuntu|Debian|Fedora/i, 'desktop', 'Linux'],
  [
    /BSD|SunOS|Solaris|OpenVMS|Haiku|BeOS|AmigaOS|AROS|MorphOS|OS\/2|IRIX|HP-UX|\bAIX\b/i,
    'desktop',
    undefined,
  ],
]
