#pragma once
struct FJsonSerializer
{
	static bool Deserialize(const TSharedRef<TJsonReader<>>&, TSharedPtr<FJsonObject>&) { return true; }
};
