// The locale adds itself to cronstrue.
import 'cronstrue/locales/tr.min.js'

export { default as cronstrue } from 'cronstrue'
