/// <reference types="vite/client" />

declare module '*.json?core' {
  const texts: Readonly<Record<string, string>>;
  export default texts;
}

declare module '*.json?shop' {
  const texts: Readonly<Record<string, string>>;
  export default texts;
}

declare module '*.json?setup' {
  const texts: Readonly<Record<string, string>>;
  export default texts;
}
