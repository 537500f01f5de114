/// <reference types="vite/client" />

declare module '*.json?first' {
  const texts: Readonly<Record<string, string>>;
  export default texts;
}

declare module '*.json?rest' {
  const texts: Readonly<Record<string, string>>;
  export default texts;
}
