import { createSpotlight } from '@mantine/spotlight'

/** Opens and closes the command palette from anywhere. Separate from the palette, which is loaded later. */
export const [paletteStore, palette] = createSpotlight()
