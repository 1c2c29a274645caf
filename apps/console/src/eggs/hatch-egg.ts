import './eggs.css'
import type { Egg } from './egg-words.ts'

/** Flashes the page, then toggles the effect (R323). */
export async function hatchEgg(egg: Egg): Promise<void> {
  await flash()
  effects[egg]()
}

/** Resolves when the animation of the stylesheet ends (150 ms, once), or at once under `prefers-reduced-motion`. */
async function flash(): Promise<void> {
  const page = document.documentElement
  page.classList.add('egg-flash')
  await Promise.allSettled(page.getAnimations().map(({ finished }) => finished))
  page.classList.remove('egg-flash')
}

const effects: Record<Egg, () => void> = {
  helper: toggleHelper,
  earthquake: () => toggleStyle('egg-earthquake'),
  catchphrase: () => {
    toggleStyle('egg-catchphrase')
    toggleClickSound('/eggs/catchphrase.wav')
  },
  click: () => toggleClickSound('/eggs/click.wav'),
  roll: () => toggleStyle('egg-roll'),
  video: addVideo,
  flip: () => toggleStyle('egg-flip'),
}

function toggleStyle(name: string): void {
  document.body.classList.toggle(name)
}

function toggleHelper(): void {
  const shown = document.querySelector('.egg-helper')
  if (shown) return shown.remove()
  const helper = document.createElement('img')
  helper.className = 'egg-helper'
  helper.src = '/eggs/helper.svg'
  helper.alt = ''
  helper.addEventListener('click', () => play('/eggs/helper.wav'))
  document.body.append(helper)
}

const clickSounds = new Map<string, () => void>()

/** Plays the sound on each click on the page until it is toggled off. */
function toggleClickSound(sound: string): void {
  const listener = clickSounds.get(sound)
  if (listener) {
    removeEventListener('click', listener, true)
    clickSounds.delete(sound)
    return
  }
  const heard = () => play(sound)
  clickSounds.set(sound, heard)
  addEventListener('click', heard, true)
}

/** Playback errors are ignored (R321). */
function play(sound: string): void {
  new Audio(sound).play().catch(() => {})
}

/** Adds another video each time; videos are never removed (R325). */
function addVideo(): void {
  const video = document.createElement('video')
  video.className = 'egg-video'
  video.width = 0
  video.height = 0
  video.autoplay = true
  video.ariaHidden = 'true'
  video.src = '/eggs/video.webm'
  document.body.append(video)
}
