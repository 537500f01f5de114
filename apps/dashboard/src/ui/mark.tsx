export const Mark = ({ className = 'size-6' }: { className?: string }) => (
  <svg aria-hidden viewBox="0 0 24 24" className={`${className} shrink-0 fill-mark`}>
    <path d="M4.5 14.5a8 8 0 1 1 15 0z" />
    <rect x="1.5" y="17" width="21" height="3" rx="1.5" />
  </svg>
);
