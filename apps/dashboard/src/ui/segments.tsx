interface SegmentsProps<Value extends string> {
  label: string;
  choices: readonly (readonly [Value, string])[];
  value: Value;
  onChange(value: Value): void;
}

/** Offers a few choices that are all visible. */
export function Segments<Value extends string>({ label, choices, value, onChange }: SegmentsProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a row of joined buttons in every browser
    <div
      role="group"
      aria-label={label}
      className="inline-flex max-w-full flex-wrap rounded-md border border-line p-0.5"
    >
      {choices.map(([one, text]) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === value}
          onClick={() => onChange(one)}
          className="h-7 rounded-sm px-3 whitespace-nowrap max-sm:px-2.5 text-soft hover:text-ink aria-pressed:bg-sunk aria-pressed:font-semibold aria-pressed:text-ink touch-44"
        >
          {text}
        </button>
      ))}
    </div>
  );
}
