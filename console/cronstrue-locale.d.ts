/** Adds Turkish to cronstrue. It has no types of its own. */
declare module 'cronstrue/locales/tr.min.js'
