import { csharpModels } from './csharp-models.ts';
import { goModels } from './go-models.ts';
import { listModels } from './model-list.ts';
import { pythonModels } from './python-models.ts';

/** The types of the contract for the packages in other languages. */
export function modelFiles(): Record<string, string> {
  const models = listModels();
  return {
    'packages/python/coinslot/models.py': pythonModels(models),
    'packages/go/model/model.go': goModels(models),
    'packages/csharp/Models.cs': csharpModels(models),
  };
}
