/**
 * How a command describes itself, in the developer's `coinslot` and in the operator's `coinslot-server`. `Parser` is the
 * command of the parser that both use, so that this package needs none.
 */
export interface CommandShape<Parser> {
  /** With its arguments, such as `get <order-id>`. */
  name: string;

  /** One sentence, for the list of commands. */
  summary: string;

  /** Help text after the summary. */
  more?: string;

  options?: (command: Parser) => Parser;
}
