import { choiceProblem, type LabelChoice } from './label-choice.ts';

const documentNames =
  /\.(pdf|docx|docm|pptx|pptm|odt|odp|rtf|eml|mbox|mbx|md|txt|html?|png|jpe?g|tiff?|gif|webp|heic|heif|avif|mp4|webm)$/i;

const pictureNames = /\.(png|jpe?g|tiff?|gif|webp|heic|heif|avif|mp4|webm)$/i;

/** Whether a file has text that can be shown before the import, which finds that of pictures. */
export const hasText = ({ name }: { readonly name: string }): boolean => !pictureNames.test(name);

/** Whether all files have names of documents, so that they are probably not tables. */
export const areDocuments = (files: readonly { readonly name: string }[]): boolean =>
  files.length > 0 && files.every(({ name }) => documentNames.test(name));

/** Returns what is missing or wrong in the choice for documents, or undefined. Their pages have no columns with labels. */
export const documentChoiceProblem = (choice: LabelChoice): string | undefined =>
  choice.mode === 'columns' ? 'Choose one label for all pages, or none.' : choiceProblem(choice);
