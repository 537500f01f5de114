#pragma once
struct FJsonObject { bool TryGetStringField(const TCHAR*, FString&) const { return true; } };
