// The parts that vite.config.ts makes of the texts.
declare module '*.json?first' {
  const texts: object
  export default texts
}
declare module '*.json?rooms' {
  const texts: object
  export default texts
}
declare module '*.json?desk' {
  const texts: object
  export default texts
}
