// vite.config.ts generates: `virtual:texts/<language>/<part>`.
declare module 'virtual:texts/*' {
  const texts: object
  export default texts
}
