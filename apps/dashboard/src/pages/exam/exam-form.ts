import type { StartExam } from '@coinslot/contract';

export const EXAM_LANGUAGES: readonly (readonly [StartExam['language'], string])[] = [
  ['node', 'Node.js'],
  ['python', 'Python'],
  ['go', 'Go'],
  ['java', 'Java'],
  ['csharp', 'C#'],
  ['php', 'PHP'],
  ['ruby', 'Ruby'],
];

export interface ExamForm {
  /** A registered webhook, or '' if the member enters an address instead. */
  webhookId: string;
  url: string;
  inventoryUrl: string;
  language: StartExam['language'];
}

export function examInput({ webhookId, url, inventoryUrl, language }: ExamForm): StartExam {
  const inventory = inventoryUrl.trim();
  return {
    ...(webhookId === '' ? { url: url.trim() } : { webhook_id: webhookId }),
    ...(inventory !== '' && { inventory_url: inventory }),
    language,
  };
}

export const isReady = ({ webhookId, url }: ExamForm): boolean => webhookId !== '' || url.trim() !== '';
