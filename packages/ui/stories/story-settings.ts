/** Settings of the story book, kept in the URL. */
export interface StorySettings {
  story: string
  scheme: 'light' | 'dark'
  brand: 'emma' | 'ems'
  lng: 'en' | 'de' | 'es'
  /** `phone`: the page in a frame of 360 px. */
  width: 'full' | 'phone'
  /** `page`: the stories without the index, as opened by the frame and the tests. */
  view: 'book' | 'page'
}

const choices = {
  scheme: ['light', 'dark'],
  brand: ['emma', 'ems'],
  lng: ['en', 'de', 'es'],
  width: ['full', 'phone'],
  view: ['book', 'page'],
} as const

export function readSettings(search: string): StorySettings {
  const parameters = new URLSearchParams(search)
  const chosen = <K extends keyof typeof choices>(name: K): (typeof choices)[K][number] =>
    choices[name].find(choice => choice === parameters.get(name)) ?? choices[name][0]
  return {
    story: parameters.get('story') ?? 'list',
    scheme: chosen('scheme'),
    brand: chosen('brand'),
    lng: chosen('lng'),
    width: chosen('width'),
    view: chosen('view'),
  }
}

export function writeSettings(settings: StorySettings): string {
  return `?${new URLSearchParams({ ...settings }).toString()}`
}
