export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Every time zone that the browser knows, its own among them. */
export const zones = () => [...new Set(['UTC', browserZone(), ...Intl.supportedValuesOf('timeZone')])].sort()
